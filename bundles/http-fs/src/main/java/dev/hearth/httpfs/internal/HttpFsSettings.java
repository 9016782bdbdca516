package dev.hearth.httpfs.internal;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Bounds of the files that an application fetches by HTTP. Read from {@code hearth.jars.http*}. Immutable. */
record HttpFsSettings(long bytesMax, Duration timeout) {
    private static final long MEBIBYTE = 1024 * 1024;
    private static final int DEFAULT_MEBIBYTES = 16 * 1024;

    private static final SettingKey<Integer> MAX = SettingKey.mebibytes(
            "hearth.jars.httpMax",
            DEFAULT_MEBIBYTES,
            1,
            Integer.MAX_VALUE,
            "The largest file that is fetched from an `http:` or `https:` address.");
    private static final SettingKey<Duration> TIMEOUT = SettingKey.duration(
            "hearth.jars.httpTimeout",
            Duration.ofHours(1),
            Duration.ofSeconds(1),
            "How long the transfer of one file from an `http:` or `https:` address may take, with all its attempts.");
    private static final List<SettingKey<?>> KEYS = List.of(MAX, TIMEOUT);

    static HttpFsSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        HttpFsSettings read = new HttpFsSettings(in.read(MAX) * MEBIBYTE, in.read(TIMEOUT));
        in.finish();
        return read;
    }

    /** Declares these settings, so that they can be checked and listed. */
    @Component(service = SettingsGroup.class)
    public static final class Group implements SettingsGroup {
        @Override
        public String owner() {
            return "http-fs";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return KEYS;
        }
    }
}
