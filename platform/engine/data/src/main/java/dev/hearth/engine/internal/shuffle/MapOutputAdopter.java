package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import dev.hearth.spi.shuffle.MapOutputIndex;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands finished map outputs over to the shuffle service of this host, so that they outlive this executor. An output is
 * handed over when its index file appears in the {@link MapOutputDirectory}, in one step. The first output of a map task
 * counts, unless its file is not whole or a later one is of a newer run of a barrier stage. Any thread may call.
 */
public final class MapOutputAdopter {
    private static final Logger LOG = LoggerFactory.getLogger(MapOutputAdopter.class);

    private final MapOutputDirectory directory;
    private final ExecutorId self;
    private final AtomicLong drafts = new AtomicLong();

    /** Hands outputs of the executor {@code self} over in {@code directory}, which the service has created. */
    public MapOutputAdopter(MapOutputDirectory directory, ExecutorId self) {
        this.directory = directory;
        this.self = self;
    }

    /**
     * Writes the index of an output whose task attempt has not succeeded yet. {@code run} is the number of the run of a
     * barrier stage, else 0. Fails with {@code DISK_FAILED}.
     */
    public Draft draft(MapOutput output, int run) {
        MapOutputIndex index = index(output, run);
        Path draft = directory
                .indexes(output.shuffle)
                .resolve(MapOutputDirectory.DRAFT + self + "-" + drafts.getAndIncrement());
        try {
            Files.createDirectories(directory.indexes(output.shuffle));
            Files.write(draft, index.encoded());
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    output.subject() + ": its index " + draft + " cannot be written: " + failure
                            + " (expected: a directory of the shuffle service with free space)",
                    failure);
        }
        return new Draft(output, index, draft);
    }

    private static MapOutputIndex index(MapOutput output, int run) {
        Optional<PartitionedFile> file = output.file();
        int reducers = output.reducers();
        long[] offsets = new long[reducers + 1];
        long id = 0;
        for (int reducer = 0; reducer < reducers && file.isPresent(); reducer++) {
            FileSegment segment = file.get().segment(reducer);
            id = segment.id();
            offsets[reducer + 1] = segment.offset() + segment.bytes();
        }
        return new MapOutputIndex(
                file.map(PartitionedFile::file),
                id,
                file.map(written -> length(output, Path.of(written.file()))).orElse(0L),
                run,
                offsets,
                output.recordCounts());
    }

    private static long length(MapOutput output, Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            throw ErrorCode.DISK_FAILED.failure(
                    output.subject() + ": its file cannot be read: " + gone + " (expected: as it was written)", gone);
        }
    }

    /** Map output that waits for the end of its task attempt. Owned by the task's thread; ended by either method. */
    public final class Draft {
        private final MapOutput output;
        private final MapOutputIndex index;
        private final Path draft;

        private Draft(MapOutput output, MapOutputIndex index, Path draft) {
            this.output = output;
            this.index = index;
            this.draft = draft;
        }

        /**
         * Hands the output over. If that fails, deletes it; the readers then find it missing, and its map task runs
         * again.
         */
        public void publish() {
            boolean adopted = false;
            try {
                adopted = adopt(directory.index(output.shuffle, output.map));
            } catch (IOException failure) {
                LOG.error("{}: cannot be handed over to the shuffle service", output.subject(), failure);
            }
            if (adopted) {
                output.leaveToService();
                remove(draft);
            } else {
                discard();
            }
        }

        private boolean adopt(Path target) throws IOException {
            if (linked(target)) {
                return true;
            }
            Optional<MapOutputIndex> former = read(target);
            if (former.isPresent() && former.get().run() - index.run() >= 0 && isWhole(former.get())) {
                return false; // all reducers read the same output
            }
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            former.flatMap(MapOutputIndex::file).map(Path::of).ifPresent(MapOutputAdopter::remove);
            return true;
        }

        private boolean linked(Path target) throws IOException {
            try {
                Files.createLink(target, draft);
                return true;
            } catch (FileAlreadyExistsException taken) {
                return false;
            } catch (FileSystemException | UnsupportedOperationException refused) {
                LOG.debug("{}: no hard link was made, so the draft is moved there", target, refused);
                if (Files.exists(target)) {
                    return false;
                }
                Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
                return true;
            }
        }

        public void discard() {
            output.delete();
            remove(draft);
        }
    }

    private static Optional<MapOutputIndex> read(Path index) {
        try {
            return Optional.of(MapOutputIndex.decode(Files.readAllBytes(index)));
        } catch (IOException damaged) {
            LOG.warn("{}: is replaced, because it cannot be read: {}", index, damaged.toString());
            return Optional.empty();
        }
    }

    private static boolean isWhole(MapOutputIndex index) {
        return index.file().isEmpty() || Path.of(index.file().get()).toFile().length() == index.fileBytes();
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            LOG.warn("{}: cannot be deleted now; the shuffle service deletes it", file, failure);
        }
    }
}
