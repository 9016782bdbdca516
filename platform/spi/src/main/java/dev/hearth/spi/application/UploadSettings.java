package dev.hearth.spi.application;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.util.List;

/**
 * Settings that decide which files of the submitter's machine are sent along with an application in cluster mode. Read
 * by cluster managers, declared by the module submission. Immutable.
 */
public record UploadSettings(Mode mode, List<Path> sharedDirectories) {
    private static final SettingKey<Mode> MODE = SettingKey.choice(
            "hearth.submit.upload",
            Mode.class,
            Mode.AUTO,
            "Whether the files of an application in cluster mode are sent to the cluster: `auto` sends those that are on"
                    + " the submitter's machine and not below hearth.submit.sharedDirs, `always` sends all and fails if"
                    + " one is missing, `never` leaves them to the machine of the driver.");
    private static final SettingKey<List<String>> SHARED = SettingKey.list(
                    "hearth.submit.sharedDirs",
                    List.of(),
                    "Directories that all machines of the cluster share; `auto` in hearth.submit.upload sends no files"
                            + " below them.")
            .obeying(
                    "absolute paths, separated by commas",
                    paths -> paths.stream().allMatch(path -> path.startsWith("/")));

    public static final List<SettingKey<?>> KEYS = List.of(MODE, SHARED);

    /** Rule that decides which files are sent. Values of a setting, so constants keep their names. */
    public enum Mode {
        AUTO,
        ALWAYS,
        NEVER
    }

    public UploadSettings {
        sharedDirectories = List.copyOf(sharedDirectories);
    }

    public static UploadSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Mode mode = in.read(MODE);
        List<Path> shared =
                in.read(SHARED).stream().map(path -> Path.of(path).normalize()).toList();
        in.finish();
        return new UploadSettings(mode, shared);
    }

    /** Whether a file of the submitter's machine is to be sent. */
    boolean sends(Path file) {
        return switch (mode) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> sharedDirectories.stream().noneMatch(file::startsWith);
        };
    }
}
