package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.ledger.FactLogs;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.log.FileFactLogs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which log a master gets, by Hearth's name of the setting and by Spark's. */
class RecoveryModeTest {
    private static final FactLogs FILES = new FileFactLogs();

    private static RecoveryMode of(String key, String value) {
        return RecoveryMode.of(Settings.empty().with("test", key, value), List.of(FILES));
    }

    @Test
    void forgetsEverythingUnlessAModeIsSet() {
        assertTrue(RecoveryMode.of(Settings.empty(), List.of(FILES)).logs().isEmpty());
        assertTrue(of("spark.deploy.recoveryMode", "none").logs().isEmpty());
    }

    @Test
    void keepsFactsInFilesAlsoForRocksDb() {
        assertEquals(FILES, of("spark.deploy.recoveryMode", "FILESYSTEM").logs().orElseThrow());
        RecoveryMode rocks = of("hearth.deploy.recoveryMode", "RocksDB");
        assertEquals(FILES, rocks.logs().orElseThrow());
        assertTrue(rocks.warning().orElseThrow().contains("ROCKSDB is not here"));
    }

    @Test
    void refusesAModeThatNoBundleProvides() {
        HearthException refused =
                assertThrows(HearthException.class, () -> of("hearth.deploy.recoveryMode", "ZOOKEEPER"));
        assertEquals("BAD_SETTING", refused.code());
        assertTrue(
                refused.getMessage().contains("ZOOKEEPER (expected: one of [NONE, FILESYSTEM]"), refused::getMessage);
    }
}
