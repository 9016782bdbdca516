package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.storage.StoreTrait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Output committer of one job, on the driver. Created by {@link #prepare}; ended by {@link #commit} or {@link #abort}.
 * Owned by the thread that runs the job. A directory with {@code _SUCCESS} is complete. Until the job commits, its
 * files are below {@code _temporary}. If the process is killed during a commit, some part files may be in place, but
 * {@code _SUCCESS} is missing.
 * <p>Creating the directory claims it, so of several jobs with one path only one succeeds. The leftovers of a killed
 * job must be removed by hand.
 */
public final class OutputCommitter {
    private static final Logger LOG = LoggerFactory.getLogger(OutputCommitter.class);
    /** Name of the empty file that marks an output directory as complete. */
    public static final String SUCCESS = "_SUCCESS";

    /**
     * Upper bound on the attempts to remove one directory tree. Attempts fail while late tasks add files to the tree.
     */
    private static final int REMOVALS_MAX = 5;

    private final FileName directory;
    private final FileStore store;
    private final OutputTarget target;
    private final List<FileName> published = new ArrayList<>();
    private boolean ended;

    private OutputCommitter(FileName directory, FileStore store, OutputTarget target) {
        this.directory = directory;
        this.store = store;
        this.target = target;
    }

    /**
     * Creates the output directory {@code path}, which must not exist, and so claims it for this job. The id
     * {@code job} must be unique among all jobs with this directory.
     */
    public static OutputCommitter prepare(String path, String job, FileCodec codec, ApplicationStores stores) {
        FileName directory = absolute(path, stores);
        FileStore store = stores.of(directory);
        requireCommits(directory, store.traits());
        createAbove(directory, store);
        try {
            store.directory(directory, true);
        } catch (FileAlreadyExistsException there) {
            throw refused(directory, store, there);
        } catch (IOException failure) {
            throw failed(directory, "cannot be created, " + StoreException.textOf(failure), failure);
        }
        OutputTarget target = new OutputTarget(directory.toString(), job, codec);
        OutputCommitter prepared = new OutputCommitter(directory, store, target);
        try {
            store.directory(target.committed(), false);
        } catch (IOException failure) {
            prepared.abort();
            throw failed(directory, "cannot be written to, " + StoreException.textOf(failure), failure);
        }
        return prepared;
    }

    private static FileName absolute(String path, ApplicationStores stores) {
        if (path.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure("output directory '': empty (expected: a path)");
        }
        FileName directory = stores.name(path);
        return directory.isLocal()
                ? FileName.local(LocalFileStore.path(directory).normalize().toString())
                : directory;
    }

    private static void requireCommits(FileName directory, Set<StoreTrait> traits) {
        boolean renames = traits.contains(StoreTrait.ATOMIC_RENAME) || traits.contains(StoreTrait.COPYING_RENAME);
        if (!renames || !traits.contains(StoreTrait.EXCLUSIVE_CREATE)) {
            throw ErrorCode.BAD_ARGUMENT.failure("output directory " + directory + ": the file store for scheme '"
                    + directory.scheme() + "' "
                    + (renames ? "cannot reserve a directory for one job" : "cannot rename files")
                    + " (expected: a store on which output appears complete or not at all); write to another store");
        }
    }

    private static void createAbove(FileName directory, FileStore store) {
        Optional<FileName> above = directory.parent();
        try {
            if (above.isPresent()) {
                store.directory(above.get(), false);
            }
        } catch (FileAlreadyExistsException file) {
            throw failed(directory, file.getFile() + " is not a directory", file);
        } catch (IOException failure) {
            throw failed(directory, "cannot be created, " + StoreException.textOf(failure), failure);
        }
    }

    private static RuntimeException refused(FileName directory, FileStore store, FileAlreadyExistsException there) {
        boolean left = exists(store, directory.child(OutputTarget.TEMPORARY));
        return ErrorCode.PATH_EXISTS.failure(
                "output directory " + directory + ": exists already"
                        + (left ? ", with the output of a job that still runs or was killed" : "")
                        + " (expected: no such directory, as nothing is overwritten); remove it or choose another one",
                there);
    }

    private static boolean exists(FileStore store, FileName file) {
        try {
            return store.look(file).isPresent();
        } catch (IOException failure) {
            LOG.warn("output {}: cannot be inspected, {}", file, failure.toString());
            return false;
        }
    }

    /** The output location, which the driver sends to the tasks of the job. */
    public OutputTarget target() {
        return target;
    }

    /**
     * Moves the part files of all {@code partitions} to the output directory, and then adds {@code _SUCCESS}. If this
     * fails, the caller must call {@link #abort}.
     */
    public void commit(int partitions) {
        publish(lengths(partitions), false);
    }

    /**
     * Commits like {@link #commit}, and also writes an {@link OutputManifest}, with which readers detect missing parts.
     */
    public void commitListed(int partitions) {
        publish(lengths(partitions), true);
    }

    /**
     * Returns the lengths of the part files that the tasks have committed, by file name. Fails if the part of one of
     * the {@code partitions} is missing.
     */
    private Map<String, Long> lengths(int partitions) {
        Map<String, Long> found = found();
        Map<String, Long> lengths = new LinkedHashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            String part = target.part(partition);
            Long length = found.get(part);
            if (length == null) { // stores may list new files late
                FileName committed = target.committed().child(part);
                try {
                    length = store.look(committed)
                            .orElseThrow(() -> new NoSuchFileException(committed.toString()))
                            .length();
                } catch (IOException gone) {
                    throw ErrorCode.INTERNAL.failure(
                            "output directory " + directory + ": part " + partition + " is missing (expected: "
                                    + partitions + " committed parts)",
                            gone);
                }
            }
            lengths.put(part, length);
        }
        return lengths;
    }

    /** Lengths of the files that tasks have committed, as far as one listing shows them. */
    private Map<String, Long> found() {
        Map<String, Long> found = new HashMap<>();
        try {
            store.list(target.committed()).forEachRemaining(entry -> {
                if (entry.isFile()) {
                    found.put(entry.name().name(), entry.length());
                }
            });
        } catch (NoSuchFileException none) {
            return found; // none are listed yet, or no task has committed a part
        } catch (UncheckedIOException failure) {
            throw unlisted(failure.getCause());
        } catch (IOException failure) {
            throw unlisted(failure);
        }
        return found;
    }

    private RuntimeException unlisted(IOException failure) {
        return failed(target.committed(), "cannot be listed, " + StoreException.textOf(failure), failure);
    }

    private void publish(Map<String, Long> parts, boolean listed) {
        parts.keySet().forEach(part -> published.add(directory.child(part)));
        List<String> names = List.copyOf(parts.keySet());
        new PartMoves(store, target.committed(), directory, names).run().ifPresent(this::refuse);
        FileName next = directory.child(OutputManifest.FILE);
        try {
            if (listed) {
                FileName list = target.temporary().child(OutputManifest.FILE);
                OutputManifest.write(store, list, parts);
                publish(list, next);
            }
            next = directory.child(SUCCESS);
            published.add(next);
            store.create(next, false).close();
        } catch (IOException failure) {
            throw failed(next, "cannot be published, " + StoreException.textOf(failure), failure);
        }
        ended = true;
        removeTemporary();
    }

    private void refuse(PartMoves.Failure failure) {
        if (failure.why() instanceof IOException why) {
            throw failed(failure.part(), "cannot be published, " + StoreException.textOf(why), why);
        }
        if (failure.why() instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure.why(); // a rename throws no other checked exception
    }

    private void publish(FileName from, FileName to) throws IOException {
        published.add(to);
        if (!store.rename(from, to, true)) {
            throw new FileAlreadyExistsException(to.toString());
        }
    }

    /**
     * Removes all files of this job, and the output directory. Does nothing after a commit, or if it was called before.
     */
    public void abort() {
        if (ended) {
            return;
        }
        ended = true;
        for (int last = published.size() - 1; last >= 0; last--) { // _SUCCESS first
            remove(published.get(last));
        }
        removeTemporary();
        if (isEmpty(directory)) {
            remove(directory);
        }
    }

    private void removeTemporary() {
        for (int round = 1; round <= REMOVALS_MAX; round++) {
            try {
                store.remove(target.temporary(), true);
                break;
            } catch (IOException failure) { // late tasks may add files meanwhile
                if (round == REMOVALS_MAX) {
                    notRemoved(target.temporary(), failure);
                }
            }
        }
        FileName temporary = directory.child(OutputTarget.TEMPORARY);
        if (isEmpty(temporary)) {
            remove(temporary);
        }
    }

    private void remove(FileName file) {
        try {
            store.remove(file, false);
        } catch (IOException failure) {
            notRemoved(file, failure);
        }
    }

    private static void notRemoved(FileName file, IOException failure) {
        // the leftovers are harmless: they are below _temporary, or the missing _SUCCESS marks them as incomplete
        LOG.warn("output {}: cannot be removed, {}", file, failure.toString());
    }

    private boolean isEmpty(FileName path) {
        try {
            return !store.list(path).hasNext();
        } catch (NoSuchFileException | NotDirectoryException none) {
            return false;
        } catch (IOException failure) {
            LOG.warn("output {}: cannot be listed, {}", path, failure.toString());
            return false;
        }
    }

    private static RuntimeException failed(FileName path, String what, IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                "output " + path + ": " + what + " (expected: a directory with free space that this process may"
                        + " write to)",
                failure);
    }
}
