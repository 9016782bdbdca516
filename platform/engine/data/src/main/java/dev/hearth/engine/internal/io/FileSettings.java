package dev.hearth.engine.internal.io;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/** How files are looked for, cut and read. Read from {@code hearth.files.*} and two names of the field's. */
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
            "Whether input files that are gone count as empty, with a warning, instead of failing the job.");
    private static final SettingKey<Boolean> IGNORE_CORRUPT = SettingKey.flag(
            "hearth.files.ignoreCorruptFiles",
            false,
            "Whether an input file that is damaged, or cannot be read on, ends there with a warning instead of failing the job.");
    private static final SettingKey<Boolean> IGNORE_EMPTY = SettingKey.flag(
            "hearth.hadoopRDD.ignoreEmptySplits",
            true,
            "Whether empty input files give no partition instead of an empty one.");
    private static final SettingKey<Boolean> RECURSIVE = SettingKey.flag(
            "hearth.hadoop.mapreduce.input.fileinputformat.input.dir.recursive",
            false,
            "Whether the files of sub-directories belong to an input directory; without it a sub-directory is refused.");
    private static final SettingKey<Integer> PARTITION_BYTES_MAX = SettingKey.mebibytes(
            "hearth.files.maxPartitionBytes",
            128,
            1,
            Integer.MAX_VALUE,
            "How much one partition of binaryFiles holds at most.");
    private static final SettingKey<Integer> OPEN_COST = SettingKey.mebibytes(
            "hearth.files.openCostInBytes",
            4,
            0,
            Integer.MAX_VALUE,
            "What opening a file costs, as bytes that are read in the same time; each file of binaryFiles counts so much more.");

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
