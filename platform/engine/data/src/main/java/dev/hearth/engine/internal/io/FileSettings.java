package dev.hearth.engine.internal.io;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/**
 * Settings for finding, splitting and reading input files. Read from {@code hearth.files.*} and from two Hadoop keys
 * that Spark also uses.
 */
public record FileSettings(
        boolean ignoreMissing,
        boolean ignoreCorrupt,
        boolean ignoreEmpty,
        boolean recursive,
        long partitionBytesMax,
        long openCostBytes) {
    private static final long MEBIBYTE = 1L << 20;
    private static final SettingKey<Boolean> IGNORE_MISSING = SettingKey.flag(
            "hearth.files.ignoreMissingFiles",
            false,
            "Whether missing input files count as empty, with a warning, instead of failing the job.");
    private static final SettingKey<Boolean> IGNORE_CORRUPT = SettingKey.flag(
            "hearth.files.ignoreCorruptFiles",
            false,
            "Whether a corrupt or unreadable input file ends at the failure, with a warning, instead of failing the job.");
    private static final SettingKey<Boolean> IGNORE_EMPTY = SettingKey.flag(
            "hearth.hadoopRDD.ignoreEmptySplits",
            true,
            "Whether empty input files result in no partition instead of an empty one.");
    private static final SettingKey<Boolean> RECURSIVE = SettingKey.flag(
            "hearth.hadoop.mapreduce.input.fileinputformat.input.dir.recursive",
            false,
            "Whether an input directory includes the files of its sub-directories; without it a sub-directory is refused.");
    private static final SettingKey<Integer> PARTITION_BYTES_MAX = SettingKey.mebibytes(
            "hearth.files.maxPartitionBytes",
            128,
            1,
            Integer.MAX_VALUE,
            "Largest size of one partition of binaryFiles.");
    private static final SettingKey<Integer> OPEN_COST = SettingKey.mebibytes(
            "hearth.files.openCostInBytes",
            4,
            0,
            Integer.MAX_VALUE,
            "Cost of opening a file, as bytes that are read in the same time; added to the size of each file of binaryFiles.");

    public static final List<SettingKey<?>> KEYS =
            List.of(IGNORE_MISSING, IGNORE_CORRUPT, IGNORE_EMPTY, RECURSIVE, PARTITION_BYTES_MAX, OPEN_COST);

    public static final FileSettings DEFAULTS =
            new FileSettings(false, false, true, false, 128 * MEBIBYTE, 4 * MEBIBYTE);

    public static FileSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        FileSettings read = new FileSettings(
                in.read(IGNORE_MISSING),
                in.read(IGNORE_CORRUPT),
                in.read(IGNORE_EMPTY),
                in.read(RECURSIVE),
                in.read(PARTITION_BYTES_MAX) * MEBIBYTE,
                in.read(OPEN_COST) * MEBIBYTE);
        in.finish();
        return read;
    }
}
