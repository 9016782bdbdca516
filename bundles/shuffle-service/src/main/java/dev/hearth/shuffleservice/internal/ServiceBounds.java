package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Bounds of a shuffle service, read from {@code hearth.shuffle.service.*}, and its local directories, which are empty
 * unless the worker has some. Immutable.
 */
record ServiceBounds(Duration grace, long indexBytesMax, List<Path> directories) {
    private static final long MEBIBYTE = 1024 * 1024;

    private static final SettingKey<Duration> GRACE = SettingKey.duration(
            "hearth.shuffle.service.applicationGrace",
            Duration.ofMinutes(2),
            Duration.ofSeconds(1),
            "With a shuffle service: how long it keeps the map outputs of an application whose driver is not"
                    + " connected.");
    private static final SettingKey<Integer> INDEX_CACHE = SettingKey.mebibytes(
            "hearth.shuffle.service.index.cache.size",
            64,
            1,
            Integer.MAX_VALUE,
            "With a shuffle service: the memory for the indexes of map outputs; others are read again from disk.");
    private static final List<SettingKey<?>> KEYS = List.of(GRACE, INDEX_CACHE);
    private static final String LOCAL_DIRECTORIES = "hearth.local.dir";

    static ServiceBounds from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Duration grace = in.read(GRACE);
        long bytes = in.read(INDEX_CACHE) * MEBIBYTE;
        in.finish();
        List<Path> directories = settings.find(LOCAL_DIRECTORIES).stream()
                .flatMap(names -> List.of(names.split(",")).stream())
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(name -> Path.of(name).toAbsolutePath())
                .distinct()
                .toList();
        return new ServiceBounds(grace, bytes, directories);
    }

    /** Declares these settings, so that they can be checked and listed. */
    @Component(service = SettingsGroup.class)
    public static final class Group implements SettingsGroup {
        @Override
        public String owner() {
            return "shuffle-service";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return KEYS;
        }
    }
}
