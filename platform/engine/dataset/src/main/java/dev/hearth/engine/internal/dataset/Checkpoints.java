package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dataset.Lineage.Checkpointing;
import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.io.FileSplit;
import dev.hearth.engine.internal.io.OutputCommitter;
import dev.hearth.engine.internal.io.OutputManifest;
import dev.hearth.engine.internal.io.OutputTarget;
import dev.hearth.engine.internal.plan.FileFormat;
import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.TaskInput;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes checkpoints, and truncates the lineage of each dataset that has one. Runs on the thread that called the
 * action. Stateless.
 */
final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

    private Checkpoints() {}

    static void request(DatasetContext runner, Lineage.Checkpointable dataset) {
        runner.refuseTasks("checkpoint");
        runner.keeper().checkpointPath(dataset.dataset()); // fails early if no directory is set
        if (dataset.move(Checkpointing.NONE, Checkpointing.RELIABLE)
                || dataset.move(Checkpointing.LOCAL, Checkpointing.RELIABLE)) {
            runner.keeper().expectCheckpoint();
        }
    }

    static void requestLocally(DatasetContext runner, Lineage.Checkpointable dataset, String name) {
        runner.refuseTasks("localCheckpoint");
        if (dataset.move(Checkpointing.NONE, Checkpointing.LOCAL)) {
            StorageLevel level = runner.keeper().level(dataset.dataset());
            if (level == StorageLevel.NONE) {
                runner.keeper()
                        .keep(dataset, dataset.dataset(), name, dataset.partitions(), StorageLevel.MEMORY_AND_DISK);
            } else if (!level.usesDisk()) {
                runner.keeper()
                        .keepOnDisk(
                                dataset.dataset(),
                                level.asObjects() ? StorageLevel.MEMORY_AND_DISK : StorageLevel.MEMORY_AND_DISK_SER);
            }
            runner.keeper().expectCheckpoint();
        }
    }

    /**
     * The datasets for which a checkpoint is requested. Ancestors of such a dataset are omitted, because the job that
     * writes its checkpoint also writes theirs. Walks with an explicit stack, because lineages can be deep.
     */
    static List<Lineage.Checkpointable> due(Lineage end) {
        List<Lineage.Checkpointable> found = new ArrayList<>();
        Set<Lineage> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Lineage> stack = new ArrayDeque<>();
        stack.push(end);
        while (!stack.isEmpty()) {
            Lineage at = stack.pop();
            if (!seen.add(at)) {
                continue;
            }
            if (at instanceof Lineage.Checkpointable dataset
                    && (dataset.checkpointing() == Checkpointing.RELIABLE
                            || dataset.checkpointing() == Checkpointing.LOCAL)) {
                found.add(dataset);
            } else if (!isWriting(at)) { // the job that writes it also checkpoints its parents
                at.parents().forEach(stack::push);
            }
        }
        return found;
    }

    private static boolean isWriting(Lineage at) {
        return at instanceof Lineage.Checkpointable dataset && dataset.checkpointing() == Checkpointing.WRITING;
    }

    /**
     * Writes the checkpoint of a dataset and truncates the dataset's lineage. Does nothing if no checkpoint is
     * requested, or if another thread is writing the checkpoint.
     */
    static void write(DatasetContext runner, Lineage.Checkpointable dataset, CallSite site) {
        Checkpointing asked = dataset.checkpointing();
        boolean due = asked == Checkpointing.RELIABLE || asked == Checkpointing.LOCAL;
        if (!due || !dataset.move(asked, Checkpointing.WRITING)) {
            return;
        }
        boolean done = false;
        try {
            done = asked == Checkpointing.RELIABLE
                    ? writeFiles(runner, dataset, site)
                    : cacheAll(runner, dataset, site);
        } finally {
            if (!done) {
                dataset.move(Checkpointing.WRITING, asked); // after a failure the next action retries
            }
        }
    }

    private static boolean writeFiles(DatasetContext runner, Lineage.Checkpointable dataset, CallSite site) {
        String path = runner.keeper().checkpointPath(dataset.dataset());
        OutputCommitter output =
                OutputCommitter.prepare(path, UUID.randomUUID().toString(), FileCodec.NONE, runner.stores());
        OutputTarget target = output.target();
        try {
            FileOutput files = new FileOutput(target.directory(), target.codec().name(), target.job());
            runner.run(
                    new Action<>(dataset, new Sink.SaveObjects(files), all(dataset), site, ResultCollector.nothing()));
            output.commitListed(dataset.partitions());
        } catch (Throwable failure) { // removes partial output even after an Error
            output.abort();
            throw failure;
        }
        FileName directory = FileName.parse(target.directory());
        List<FileSplit> parts = new ArrayList<>();
        for (int partition = 0; partition < dataset.partitions(); partition++) {
            parts.add(whole(directory.child(target.part(partition)), runner.stores()));
        }
        List<Object[]> inputs = FileDatasets.inputs(parts);
        truncate(
                dataset,
                new Source.Files(FileFormat.CHECKPOINT),
                partition -> new TaskInput.Shared(inputs.get(partition)),
                FileDatasets.hosts(runner, parts));
        runner.keeper().checkpointed(dataset, target.directory());
        LOG.info("dataset {} is checkpointed in {}", dataset.dataset(), target.directory());
        return true;
    }

    private static FileSplit whole(FileName part, ApplicationStores stores) {
        try {
            long length = stores.of(part)
                    .look(part)
                    .orElseThrow(() -> new NoSuchFileException(part.toString()))
                    .length();
            return new FileSplit(part.toString(), 0, length);
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "checkpoint " + part + ": cannot be read back, " + failure
                            + " (expected: the elements that were just written)",
                    failure);
        }
    }

    /**
     * The file splits of the checkpoint at {@code path}: one file per partition. Fails if the checkpoint is incomplete.
     */
    static List<FileSplit> parts(String path, ApplicationStores stores) {
        FileName directory = stores.name(path);
        if (look(path, directory.child(OutputCommitter.SUCCESS), stores)
                .filter(FileEntry::isFile)
                .isEmpty()) {
            boolean there =
                    look(path, directory, stores).filter(FileEntry::isDirectory).isPresent();
            throw ErrorCode.PATH_MISSING.failure("checkpoint '" + path + "': "
                    + (there ? "no " + OutputCommitter.SUCCESS + " in it" : "no such directory")
                    + " (expected: the directory of a complete checkpoint, as <directory>/<application id>/rdd-<id>)");
        }
        Optional<OutputManifest> written = OutputManifest.in(directory, stores);
        written.ifPresent(list -> list.check(false, false));
        List<FileSplit> parts = new ArrayList<>();
        for (String name : written.map(OutputManifest::names).orElseGet(() -> names(path, directory, stores))) {
            parts.add(whole(directory.child(name), stores));
        }
        return parts;
    }

    private static Optional<FileEntry> look(String path, FileName file, ApplicationStores stores) {
        try {
            return stores.of(file).look(file);
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "checkpoint '" + path + "': cannot be inspected, " + failure + " (expected: a readable directory)",
                    failure);
        }
    }

    /**
     * Paths of the part files of a checkpoint that has no manifest, derived from the number of files in
     * {@code directory}. The files must therefore be numbered without a gap.
     */
    private static List<String> names(String path, FileName directory, ApplicationStores stores) {
        try {
            List<FileEntry> files = new ArrayList<>();
            stores.of(directory).list(directory).forEachRemaining(files::add);
            long count = files.stream()
                    .filter(file -> file.name().name().startsWith("part-"))
                    .count();
            OutputTarget target = new OutputTarget(directory.toString(), "", FileCodec.NONE);
            return IntStream.range(0, (int) count).mapToObj(target::part).toList();
        } catch (IOException | UncheckedIOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "checkpoint '" + path + "': cannot be listed, " + failure + " (expected: a readable"
                            + " directory)",
                    failure);
        }
    }

    private static boolean cacheAll(DatasetContext runner, Lineage.Checkpointable dataset, CallSite site) {
        runner.run(new Action<>(
                dataset,
                new Sink.Count(),
                all(dataset),
                site,
                ResultCollector.sum())); // computes and caches the missing partitions
        if (!runner.keeper().areThere(dataset.dataset(), all(dataset))) {
            LOG.warn(
                    "dataset {}: not checkpointed locally, because not all of it could be cached; the next action"
                            + " retries",
                    dataset.dataset());
            return false;
        }
        runner.keeper().checkpointedLocally(dataset.dataset());
        truncate(dataset, new Source.LocalCheckpoint(), PartitionInputs.NONE, PreferredLocations.ANYWHERE);
        return true;
    }

    private static int[] all(Lineage dataset) {
        return IntStream.range(0, dataset.partitions()).toArray();
    }

    private static void truncate(
            Lineage.Checkpointable dataset, Source source, PartitionInputs inputs, PreferredLocations hosts) {
        dataset.truncate(new Lineage.Root(dataset.dataset(), source, dataset.partitions(), inputs, hosts));
    }
}
