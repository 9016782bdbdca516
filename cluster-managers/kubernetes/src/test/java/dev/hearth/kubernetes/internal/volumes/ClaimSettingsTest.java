package dev.hearth.kubernetes.internal.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimSettingsTest {
    private static ClaimSettings read(Map<String, String> given, boolean deletesPods) {
        SettingsReader in = new SettingsReader(Settings.empty().with("test", given));
        ClaimSettings read = ClaimSettings.read(in, deletesPods);
        in.finish();
        return read;
    }

    @Test
    void hasTheDefaultsOfSpark() {
        assertEquals(ClaimSettings.DEFAULTS, read(Map.of(), true));
    }

    @ParameterizedTest
    @CsvSource({
        "1.20, false, ReadWriteOnce",
        "1.28, false, ReadWriteOnce",
        "1.29, false, ReadWriteOncePod",
        "1.29+, false, ReadWriteOncePod",
        "1.35, true, ReadWriteOnce",
        "2.0, false, ReadWriteOncePod",
        "unknown, false, ReadWriteOncePod",
    })
    void choosesTheAccessModeByTheVersionOfTheServer(String version, String legacy, String mode) {
        ClaimSettings settings = read(Map.of("hearth.kubernetes.legacy.useReadWriteOnceAccessMode", legacy), true);
        assertEquals(mode, settings.mode(ServerVersion.parse(version)));
    }

    @ParameterizedTest
    @CsvSource({
        "ownPersistentVolumeClaim, false, true",
        "reusePersistentVolumeClaim, false, true",
        "reusePersistentVolumeClaim, true, false",
    })
    void refusesToWaitForClaimsThatNeverComeBack(String key, String value, boolean deletesPods) {
        Map<String, String> given = Map.of(
                "hearth.kubernetes.driver.waitToReusePersistentVolumeClaim",
                "true",
                "hearth.kubernetes.driver." + key,
                value);
        HearthException refused = assertThrows(HearthException.class, () -> read(given, deletesPods));
        assertTrue(refused.getMessage().contains("waitToReusePersistentVolumeClaim"), refused::getMessage);
    }
}
