package dev.hearth.standalone.internal.contents;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Settings of masters and workers about uploaded files: where they are, how many bytes, and for how long. */
public final class ContentSettings {
    private static final SettingKey<Integer> MASTER_MAX = SettingKey.mebibytes(
            "hearth.deploy.contentBytesMax",
            4 << 10,
            1,
            Integer.MAX_VALUE,
            "Size of the uploaded files that a master holds, all together.");
    private static final SettingKey<Duration> MASTER_TTL = SettingKey.duration(
            "hearth.deploy.contentTtl",
            Duration.ofHours(1),
            Duration.ofSeconds(1),
            "How long a master holds an uploaded file after the last submission that uses it has ended.");
    private static final SettingKey<Integer> WORKER_MAX = SettingKey.mebibytes(
            "hearth.worker.contentBytesMax",
            4 << 10,
            1,
            Integer.MAX_VALUE,
            "Size of the uploaded files that a worker keeps for further drivers, all together; the least recently used"
                    + " ones go first.");
    private static final SettingKey<String> MASTER_DIRECTORY = SettingKey.text(
                    "hearth.master.dir", "", "The directory where a master holds uploaded files.")
            .obeying("a path", text -> !text.isBlank())
            .withoutDefault("`.hearth/master` in the user's home");

    public static final List<SettingKey<?>> KEYS = List.of(MASTER_MAX, MASTER_TTL, WORKER_MAX, MASTER_DIRECTORY);
    private static final long MEBIBYTE = 1 << 20;

    private ContentSettings() {}

    /** Time for which a master holds a file without users. */
    public static Duration masterRetention(Settings settings) {
        return read(settings, MASTER_TTL);
    }

    /** Empty ledger of a master. */
    public static ContentLedger masterLedger(Settings settings) {
        return new ContentLedger(MASTER_MAX.name(), read(settings, MASTER_MAX) * MEBIBYTE, read(settings, MASTER_TTL));
    }

    /** Empty ledger of a worker, whose files may go as soon as they are in the directories of their drivers. */
    public static ContentLedger workerLedger(Settings settings) {
        return new ContentLedger(WORKER_MAX.name(), read(settings, WORKER_MAX) * MEBIBYTE, Duration.ZERO);
    }

    /** Directory of a master for its files, absolute. */
    public static Path masterDirectory(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Path directory = in.find(MASTER_DIRECTORY)
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".hearth", "master"));
        in.finish();
        return directory.toAbsolutePath();
    }

    private static <T> T read(Settings settings, SettingKey<T> key) {
        SettingsReader in = new SettingsReader(settings);
        T value = in.read(key);
        in.finish();
        return value;
    }
}
