package dev.hearth.engine.internal.encryption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EncryptionSettingsTest {
    private static final Settings ENABLED =
            Settings.empty().with("test", Map.of("spark.io.encryption.enabled", "true"));

    @Test
    void generatesAKeyPerApplication() {
        Settings one = EncryptionSettings.withNewKey(ENABLED);
        Settings other = EncryptionSettings.withNewKey(ENABLED);
        String key = key(one);
        assertNotEquals(key, key(other));
        assertEquals(16, Base64.getDecoder().decode(key).length);
        assertTrue(EncryptionSettings.from(one).keyForFiles().isPresent());
        assertEquals("(hidden)", one.shown(added(one)).orElse(""), "hidden in listings");
    }

    @Test
    void usesTheConfiguredKeySize() {
        Settings large = ENABLED.with("test", "hearth.io.encryption.keySizeBits", "256");
        assertEquals(32, Base64.getDecoder().decode(key(EncryptionSettings.withNewKey(large))).length);
        Settings unsupported = ENABLED.with("test", "hearth.io.encryption.keySizeBits", "200");
        assertThrows(HearthException.class, () -> EncryptionSettings.withNewKey(unsupported));
    }

    @Test
    void addsNoKeyWhenEncryptionIsOff() {
        assertEquals(
                Settings.empty().values(),
                EncryptionSettings.withNewKey(Settings.empty()).values());
        assertTrue(EncryptionSettings.from(Settings.empty()).keyForFiles().isEmpty());
    }

    @Test
    void failsWhenEncryptionIsOnWithoutAKey() {
        EncryptionSettings without = EncryptionSettings.from(ENABLED);
        assertThrows(HearthException.class, without::keyForFiles);
    }

    private static String key(Settings settings) {
        return settings.find(added(settings)).orElseThrow();
    }

    /** Name of the added setting. */
    private static String added(Settings settings) {
        Set<String> added = new TreeSet<>(settings.keys());
        added.remove("hearth.io.encryption.enabled");
        added.remove("hearth.io.encryption.keySizeBits");
        assertEquals(1, added.size(), added::toString);
        return added.iterator().next();
    }
}
