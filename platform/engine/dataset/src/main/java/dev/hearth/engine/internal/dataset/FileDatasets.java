package dev.hearth.engine.internal.dataset;

import dev.hearth.api.BinaryFile;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.engine.internal.io.FileHosts;
import dev.hearth.engine.internal.io.FileSplit;
import dev.hearth.engine.internal.io.FileSplitter;
import dev.hearth.engine.internal.io.InputAccess;
import dev.hearth.engine.internal.io.InputFile;
import dev.hearth.engine.internal.io.InputPaths;
import dev.hearth.engine.internal.plan.FileFormat;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.TaskInput;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/** Creates datasets from files. Lists and splits the files on the calling thread. Stateless. */
public final class FileDatasets {
    private FileDatasets() {}

    public static PlannedRdd<String> text(DatasetContext runner, String path, int partitionsLeast, InputAccess access) {
        return parts(
                runner,
                FileFormat.TEXT,
                FileSplitter.cut(find("textFile", path, partitionsLeast, access), partitionsLeast, access.settings()));
    }

    /** Creates a dataset of the elements in files that {@code saveAsObjectFile} wrote. */
    public static <T> PlannedRdd<T> objects(
            DatasetContext runner, String path, int partitionsLeast, InputAccess access) {
        return parts(
                runner,
                FileFormat.OBJECTS,
                FileSplitter.cut(findObjects(path, partitionsLeast, access), partitionsLeast, access.settings()));
    }

    /** Creates a dataset that reads files of binary records, each of {@code recordBytes} bytes. */
    public static PlannedRdd<byte[]> records(DatasetContext runner, String path, int recordBytes, InputAccess access) {
        List<FileSplit> parts =
                FileSplitter.cutRecords(find("binaryRecords", path, 1, access), recordBytes, access.settings());
        List<Object[]> inputs = new ArrayList<>();
        for (FileSplit part : parts) {
            inputs.add(new Object[] {recordBytes, part.path(), part.from(), part.until()});
        }
        return new PlannedRdd<>(
                runner, lineage(runner, new Source.Files(FileFormat.FIXED_RECORDS), inputs, hosts(runner, parts)), "");
    }

    public static PairRdd<String, String> wholeTexts(
            DatasetContext runner, String path, int partitionsLeast, InputAccess access) {
        List<InputFile> files = find("wholeTextFiles", path, partitionsLeast, access);
        return whole(runner, FileFormat.WHOLE_TEXT, FileSplitter.wholeTexts(files, partitionsLeast));
    }

    public static PairRdd<String, byte[]> wholeBytes(
            DatasetContext runner, String path, int partitionsLeast, InputAccess access) {
        List<InputFile> files = find("binaryFiles", path, partitionsLeast, access);
        return whole(runner, FileFormat.BINARY, FileSplitter.wholeBytes(files, partitionsLeast, access.settings()));
    }

    /**
     * Creates a dataset with one pair per file: its path, and a handle by which the user's function opens the file.
     * Partitioned as by {@link #wholeBytes}.
     */
    public static PairRdd<String, BinaryFile> opened(
            DatasetContext runner, String path, int partitionsLeast, InputAccess access) {
        List<List<InputFile>> parts = FileSplitter.wholeBytes(
                find("binaryStreams", path, partitionsLeast, access), partitionsLeast, access.settings());
        List<Object[]> inputs = new ArrayList<>();
        for (List<InputFile> files : parts) {
            inputs.add(files.stream()
                    .map(file -> Pair.of(file.path(), new BinaryFile(file.path(), file.length())))
                    .toArray());
        }
        return new PlannedPairs<>(
                runner, lineage(runner, new Source.Elements(), inputs, wholeHosts(runner, parts)), "");
    }

    /**
     * Creates a dataset that reads the checkpoint at {@code path}, with the partitions of the dataset that was
     * checkpointed.
     */
    public static <T> PlannedRdd<T> checkpoint(DatasetContext runner, String path) {
        List<FileSplit> parts = Checkpoints.parts(path, runner.stores());
        return new PlannedRdd<>(
                runner,
                lineage(runner, new Source.Files(FileFormat.CHECKPOINT), inputs(parts), hosts(runner, parts)),
                "");
    }

    private static List<InputFile> find(String operation, String path, int partitionsLeast, InputAccess access) {
        requireSome(operation, partitionsLeast);
        return InputPaths.find(path, access);
    }

    private static List<InputFile> findObjects(String path, int partitionsLeast, InputAccess access) {
        requireSome("objectFile", partitionsLeast);
        return InputPaths.findListed(path, access);
    }

    private static void requireSome(String operation, int partitionsLeast) {
        if (partitionsLeast < 1) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    operation + ": at least " + partitionsLeast + " partitions (expected: 1 or more)");
        }
    }

    private static <T> PlannedRdd<T> parts(DatasetContext runner, FileFormat format, List<FileSplit> parts) {
        return new PlannedRdd<>(
                runner, lineage(runner, new Source.Files(format), inputs(parts), hosts(runner, parts)), "");
    }

    /** The inputs that the driver sends with the tasks that read one split each. */
    static List<Object[]> inputs(List<FileSplit> parts) {
        List<Object[]> inputs = new ArrayList<>();
        for (FileSplit part : parts) {
            inputs.add(new Object[] {part.path(), part.from(), part.until()});
        }
        return inputs;
    }

    /** The hosts that tasks prefer that read one split each. */
    static PreferredLocations hosts(DatasetContext runner, List<FileSplit> parts) {
        return locations(FileHosts.of(parts.stream().map(List::of).toList(), runner.stores()));
    }

    private static PreferredLocations wholeHosts(DatasetContext runner, List<List<InputFile>> partitions) {
        List<List<FileSplit>> splits = partitions.stream()
                .map(files -> files.stream().map(InputFile::whole).toList())
                .toList();
        return locations(FileHosts.of(splits, runner.stores()));
    }

    private static PreferredLocations locations(List<List<String>> hosts) {
        return hosts.isEmpty() ? PreferredLocations.ANYWHERE : hosts::get;
    }

    private static <V> PairRdd<String, V> whole(
            DatasetContext runner, FileFormat format, List<List<InputFile>> partitions) {
        List<Object[]> inputs = new ArrayList<>();
        for (List<InputFile> files : partitions) {
            Object[] input = new Object[files.size() * 3];
            for (int i = 0; i < files.size(); i++) {
                input[3 * i] = files.get(i).path();
                input[3 * i + 1] = 0L;
                input[3 * i + 2] = files.get(i).length();
            }
            inputs.add(input);
        }
        return new PlannedPairs<>(
                runner, lineage(runner, new Source.Files(format), inputs, wholeHosts(runner, partitions)), "");
    }

    private static Lineage lineage(
            DatasetContext runner, Source source, List<Object[]> inputs, PreferredLocations hosts) {
        PartitionInputs given = partition -> new TaskInput.Shared(inputs.get(partition));
        return new Lineage.Root(runner.nextDataset(), source, inputs.size(), given, hosts);
    }
}
