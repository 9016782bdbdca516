package dev.hearth.engine.internal.encryption;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Whether temporary files are sealed, and with which key. Read from {@code hearth.io.encryption.*}. The driver makes the key; it
 * goes to the executors of the application with the settings that their driver answers them with, and nowhere else.
 */
public record EncryptionSettings(boolean enabled, int keyBits, Optional<FileEncryptionKey> key) {
    static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.io.encryption.enabled",
            false,
            "Whether the temporary files of shuffles, spills, kept datasets, broadcast values and large results are"
                    + " encrypted, by AES-GCM with a key that each application makes for itself.");
    static final SettingKey<Integer> KEY_BITS = SettingKey.integer(
                    "hearth.io.encryption.keySizeBits", 128, 128, 256, "The size of that key.")
            .obeying("128, 192 or 256", bits -> bits % 64 == 0);

    public static final List<SettingKey<?>> KEYS = List.of(ENABLED, KEY_BITS);

    /** Where the key stands, among what a driver tells its executors alone; by its name it is never shown. */
    private static final String KEY = "hearth.io.encryption.secret";

    /** Files in clear. */
    public static final EncryptionSettings NONE = new EncryptionSettings(false, 128, Optional.empty());

    public static EncryptionSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        boolean enabled = in.read(ENABLED);
        int bits = in.read(KEY_BITS);
        in.finish();
        return new EncryptionSettings(
                enabled,
                bits,
                enabled
                        ? settings.find(KEY).map(Base64.getDecoder()::decode).map(FileEncryptionKey::new)
                        : Optional.empty());
    }

    /** The settings of an application with a new key among them, if it wants one; for its driver. */
    public static Settings withNewKey(Settings settings) {
        EncryptionSettings wanted = from(settings);
        if (!wanted.enabled) {
            return settings;
        }
        byte[] key = new byte[wanted.keyBits / Byte.SIZE];
        new SecureRandom().nextBytes(key);
        return settings.with("the driver", KEY, Base64.getEncoder().encodeToString(key));
    }

    /** The key to write files with, if they are to be sealed; never are they written in clear then. */
    public Optional<FileEncryptionKey> keyForFiles() {
        if (enabled && key.isEmpty()) {
            throw ErrorCode.INTERNAL.failure(ENABLED.name() + ": true, and there is no key (expected: from the driver);"
                    + " are driver and executors of one release?");
        }
        return key;
    }
}
