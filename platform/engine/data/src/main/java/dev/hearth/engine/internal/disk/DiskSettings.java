package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.encryption.EncryptionSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Settings of temporary files: their directories, compression and encryption. Read from {@code hearth.local.dir},
 * {@link CompressionSettings} and {@link EncryptionSettings}.
 */
public record DiskSettings(List<Path> directories, CompressionSettings compression, EncryptionSettings encryption) {
    static final SettingKey<List<String>> LOCAL_DIR = SettingKey.list(
                    "hearth.local.dir",
                    List.of(),
                    "Directories for the temporary files of shuffles and spills; several of them share the load, and"
                            + " one that is full or fails is skipped for a minute.")
            .withoutDefault("the temporary directory of the process")
            .obeying(
                    "paths separated by commas",
                    names -> !names.isEmpty() && names.stream().noneMatch(DiskSettings::hostile));

    public static final List<SettingKey<?>> KEYS = Stream.of(
                    List.of(LOCAL_DIR), CompressionSettings.KEYS, EncryptionSettings.KEYS)
            .<SettingKey<?>>flatMap(List::stream)
            .toList();

    /** Settings without encryption. */
    public DiskSettings(List<Path> directories, CompressionSettings compression) {
        this(directories, compression, EncryptionSettings.NONE);
    }

    private static boolean hostile(String name) {
        return name.indexOf('\0') >= 0;
    }

    /** The settings of an application, with the directories of {@code process} in place of its own if there are any. */
    public static Settings onMachine(Settings ofApplication, Settings process) {
        return process.find(LOCAL_DIR.name())
                .map(own -> ofApplication.with("this process", LOCAL_DIR.name(), own))
                .orElse(ofApplication);
    }

    public static DiskSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        List<String> names = in.find(LOCAL_DIR).orElseGet(() -> List.of(System.getProperty("java.io.tmpdir")));
        in.finish();
        return new DiskSettings(
                names.stream().map(Path::of).distinct().toList(),
                CompressionSettings.from(settings),
                EncryptionSettings.from(settings));
    }

    CompressionCodec compressionFor(FilePurpose use) {
        return switch (use) {
            case SHUFFLE -> compression.ofShuffles();
            case SPILL -> compression.ofSpills();
        };
    }
}
