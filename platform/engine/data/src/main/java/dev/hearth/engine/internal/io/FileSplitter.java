package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts input files into splits by the rules of Spark and Hadoop. An empty text file yields no split, or one empty split
 * if so configured. Methods for whole files never cut a file, and include empty files. Stateless.
 */
public final class FileSplitter {
    /**
     * Upper bound on the size in bytes of a split of a file without blocks. It equals the block size that Hadoop assumes
     * for local files. A split of a file with blocks is at most one block.
     */
    static final long BLOCK_BYTES = 32L << 20;

    /**
     * Factor that avoids tiny splits: if the rest of a file is at most 1.1 times as long as a split, the rest becomes
     * one split.
     */
    private static final double SLOP = 1.1;

    private FileSplitter() {}

    /**
     * Cuts text files (at lines) or object files (at batches) into splits. There are at least {@code partitionsLeast}
     * splits of about the same size, if the files can be cut.
     */
    public static List<FileSplit> cut(List<InputFile> files, int partitionsLeast, FileSettings settings) {
        long goal = total(files, 0) / Math.max(1, partitionsLeast);
        return cut(files, goal, settings.ignoreEmpty());
    }

    /** Cuts files into splits of whole records, where each record has {@code recordBytes} bytes. */
    public static List<FileSplit> cutRecords(List<InputFile> files, int recordBytes, FileSettings settings) {
        if (recordBytes <= 0) {
            throw ErrorCode.BAD_ARGUMENT.failure("length of records: " + recordBytes + " (expected: 1 byte or more)");
        }
        for (InputFile file : files) {
            if (file.length() % recordBytes != 0) {
                throw ErrorCode.BAD_ARGUMENT.failure("file " + file.path() + ": " + file.length()
                        + " bytes (expected: a multiple of the record length, " + recordBytes + " bytes)");
            }
        }
        List<FileSplit> parts = new ArrayList<>();
        for (InputFile file : files) {
            long size = Math.max(recordBytes, blockBytes(file) / recordBytes * recordBytes);
            cut(file, size, settings.ignoreEmpty(), parts);
        }
        return parts;
    }

    private static long blockBytes(InputFile file) {
        return file.blockBytes() > 0 ? file.blockBytes() : BLOCK_BYTES;
    }

    /**
     * Groups text files that are read whole. Each group becomes one partition. Small files share a group, up to about
     * the total size divided by {@code partitionsLeast}.
     */
    public static List<List<InputFile>> wholeTexts(List<InputFile> files, int partitionsLeast) {
        int wanted = Math.max(1, partitionsLeast);
        return together(files, (total(files, 0) + wanted - 1) / wanted);
    }

    /**
     * Groups binary files that are read whole. Each group becomes one partition; small files share a group, up to a
     * size that depends on {@code settings} and {@code parallelism}.
     */
    public static List<List<InputFile>> wholeBytes(List<InputFile> files, int parallelism, FileSettings settings) {
        long perCore = total(files, settings.openCostBytes()) / Math.max(1, parallelism);
        return together(files, Math.min(settings.partitionBytesMax(), Math.max(settings.openCostBytes(), perCore)));
    }

    private static long total(List<InputFile> files, long each) {
        long bytes = 0;
        for (InputFile file : files) {
            bytes += file.length() + each;
        }
        return bytes;
    }

    private static List<FileSplit> cut(List<InputFile> files, long goal, boolean ignoreEmpty) {
        List<FileSplit> parts = new ArrayList<>();
        for (InputFile file : files) {
            long size = Math.max(1, Math.min(goal, blockBytes(file)));
            cut(file, file.codec() == FileCodec.NONE ? size : Long.MAX_VALUE, ignoreEmpty, parts);
        }
        return parts;
    }

    private static void cut(InputFile file, long size, boolean ignoreEmpty, List<FileSplit> parts) {
        long left = file.length();
        if (left == 0 && !ignoreEmpty) {
            parts.add(file.whole());
        }
        while (left > 0) {
            long from = file.length() - left;
            long bytes = (double) left / size > SLOP ? size : left;
            parts.add(new FileSplit(file.path(), from, from + bytes));
            left -= bytes;
        }
    }

    private static List<List<InputFile>> together(List<InputFile> files, long sizeMax) {
        List<List<InputFile>> partitions = new ArrayList<>();
        List<InputFile> open = new ArrayList<>();
        long bytes = 0;
        for (InputFile file : files) {
            open.add(file);
            bytes += file.length();
            if (sizeMax > 0 && bytes >= sizeMax) {
                partitions.add(List.copyOf(open));
                open.clear();
                bytes = 0;
            }
        }
        if (!open.isEmpty()) {
            partitions.add(List.copyOf(open));
        }
        return partitions;
    }
}
