package dev.hearth.engine.internal.encryption;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of the encryption of temporary files, with the key. Read from {@code hearth.io.encryption.*}. The driver
 * generates the key. The key is sent to the application's executors with their settings, and to no other process.
 */
public record EncryptionSettings(boolean enabled, int keyBits, Optional<FileEncryptionKey> key) {
    private static final Logger LOG = LoggerFactory.getLogger(EncryptionSettings.class);
    static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.io.encryption.enabled",
            false,
            "Whether temporary files (shuffle, spills, cached blocks, broadcast values and large results) are"
                    + " encrypted, by AES-GCM with a key that is generated for each application.");
    static final SettingKey<Integer> KEY_BITS = SettingKey.integer(
                    "hearth.io.encryption.keySizeBits",
                    128,
                    128,
                    256,
                    "Size, in bits, of the key that encrypts" + " temporary files.")
            .obeying("128, 192 or 256", bits -> bits % 64 == 0);

    public static final List<SettingKey<?>> KEYS = List.of(ENABLED, KEY_BITS);

    /**
     * Name of the setting that carries the key from the driver to its executors. The word {@code secret} in the name
     * marks the setting as secret, so listings of settings hide its value.
     */
    private static final String KEY = "hearth.io.encryption.secret";

    /** No encryption. */
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

    /**
     * Returns {@code settings} of an application with a new random key, if they enable encryption; otherwise returns
     * them unchanged. Only the driver calls this.
     */
    public static Settings withNewKey(Settings settings) {
        EncryptionSettings wanted = from(settings);
        if (!wanted.enabled) {
            return settings;
        }
        byte[] key = new byte[wanted.keyBits / Byte.SIZE];
        new SecureRandom().nextBytes(key);
        return settings.with("the driver", KEY, Base64.getEncoder().encodeToString(key));
    }

    /**
     * Logs a warning if temporary files are encrypted while the connections that carry their key to executors are not.
     */
    public void warnOnPlainConnections(boolean connectionsEncrypted) {
        if (enabled && !connectionsEncrypted) {
            LOG.warn(
                    "{}: true, but the key reaches executors over connections without encryption (expected: encrypted"
                            + " connections); set hearth.authenticate=true or hearth.ssl.rpc.enabled=true",
                    ENABLED.name());
        }
    }

    /**
     * The key for temporary files, empty if encryption is off. Fails if encryption is on but the key is missing, so
     * that no file is written in plain text by mistake.
     */
    public Optional<FileEncryptionKey> keyForFiles() {
        if (enabled && key.isEmpty()) {
            throw ErrorCode.INTERNAL.failure(
                    ENABLED.name() + ": true, but this executor received no key (expected: the key of the driver);"
                            + " install the same release for driver and executors");
        }
        return key;
    }
}
