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
        HearthException refused = assertThrows(HearthException.class, () -> of("hearth.deploy.recoveryMode", "TAPE"));
        assertEquals("BAD_SETTING", refused.code());
        assertTrue(refused.getMessage().contains("TAPE (expected: one of [NONE, FILESYSTEM]"), refused::getMessage);
        refused = assertThrows(HearthException.class, () -> of("hearth.deploy.recoveryMode", "ZOOKEEPER"));
        assertTrue(refused.getMessage().contains("hearth.deploy.zookeeper.url"), refused::getMessage);
    }

    @Test
    void takesTheServiceThatACustomModeNames() {
        Settings custom = Settings.empty().with("test", "hearth.deploy.recoveryMode", "CUSTOM");
        String key = "hearth.deploy.recoveryMode.factory";
        for (String name : List.of(FileFactLogs.class.getName(), "filesystem")) {
            assertEquals(
                    FILES,
                    RecoveryMode.of(custom.with("test", key, name), List.of(FILES))
                            .logs()
                            .orElseThrow());
        }
        HearthException unset = assertThrows(HearthException.class, () -> RecoveryMode.of(custom, List.of(FILES)));
        assertTrue(unset.getMessage().startsWith(key + ": not set"), unset::getMessage);
        HearthException missing = assertThrows(
                HearthException.class, () -> RecoveryMode.of(custom.with("test", key, "org.x.Y"), List.of(FILES)));
        assertTrue(missing.getMessage().startsWith(key + ": org.x.Y (expected:"), missing::getMessage);
    }
}
