package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private final Path directory;
    private final OutputTarget target;
    private final List<Path> published = new ArrayList<>();
    private boolean ended;

    private OutputCommitter(Path directory, OutputTarget target) {
        this.directory = directory;
        this.target = target;
    }

    /**
     * Creates the output directory {@code path}, which must not exist, and so claims it for this job. The id
     * {@code job} must be unique among all jobs with this directory.
     */
    public static OutputCommitter prepare(String path, String job, FileCodec codec) {
        Path directory = absolute(path);
        try {
            Path parent = directory.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException there) {
            throw refused(directory, there);
        } catch (IOException failure) {
            throw failed(directory, "cannot be created, " + failure, failure);
        }
        OutputTarget target = new OutputTarget(directory.toString(), job, codec);
        OutputCommitter prepared = new OutputCommitter(directory, target);
        try {
            Files.createDirectories(target.committed());
        } catch (IOException failure) {
            prepared.abort();
            throw failed(directory, "cannot be written to, " + failure, failure);
        }
        return prepared;
    }

    private static Path absolute(String path) {
        if (path.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure("output directory '': empty (expected: a path)");
        }
        try {
            return Path.of(FileUris.plain(path)).toAbsolutePath().normalize();
        } catch (InvalidPathException bad) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "output directory '" + path + "': " + bad.getReason() + " (expected: a path of this system)", bad);
        }
    }

    private static RuntimeException refused(Path directory, FileAlreadyExistsException there) {
        boolean here = Files.exists(directory, LinkOption.NOFOLLOW_LINKS);
        if (!here || !directory.toString().equals(there.getFile())) {
            return failed(directory, there.getFile() + " is not a directory", there);
        }
        boolean left = Files.exists(directory.resolve(OutputTarget.TEMPORARY));
        return ErrorCode.PATH_EXISTS.failure(
                "output directory " + directory + ": exists already"
                        + (left ? ", with the output of a job that still runs or was killed" : "")
                        + " (expected: no such directory, as nothing is overwritten); remove it or choose another one",
                there);
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
        Map<String, Long> lengths = new LinkedHashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            String part = target.part(partition);
            try {
                lengths.put(part, Files.size(target.committed().resolve(part)));
            } catch (IOException gone) {
                throw ErrorCode.INTERNAL.failure(
                        "output directory " + directory + ": part " + partition + " is missing (expected: " + partitions
                                + " committed parts)",
                        gone);
            }
        }
        return lengths;
    }

    private void publish(Map<String, Long> parts, boolean listed) {
        Path next = directory;
        try {
            for (String part : parts.keySet()) {
                next = directory.resolve(part);
                published.add(next);
                Files.move(target.committed().resolve(part), next, StandardCopyOption.ATOMIC_MOVE);
            }
            if (listed) {
                next = directory.resolve(OutputManifest.FILE);
                published.add(next);
                Path list = target.temporary().resolve(OutputManifest.FILE);
                OutputManifest.write(list, parts);
                Files.move(list, next, StandardCopyOption.ATOMIC_MOVE);
            }
            next = directory.resolve(SUCCESS);
            published.add(next);
            Files.createFile(next);
        } catch (IOException failure) {
            throw failed(next, "cannot be published, " + failure, failure);
        }
        ended = true;
        removeTemporary();
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
        for (int round = 0; round < REMOVALS_MAX && Files.exists(target.temporary()); round++) {
            removeTree(target.temporary());
        }
        Path temporary = directory.resolve(OutputTarget.TEMPORARY);
        if (isEmpty(temporary)) {
            remove(temporary);
        }
    }

    private static void removeTree(Path path) {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                children.forEach(OutputCommitter::removeTree);
            } catch (IOException failure) {
                LOG.warn("output {}: cannot be listed to remove it, {}", path, failure.toString());
            }
        }
        remove(path);
    }

    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException failure) {
            // the leftovers are harmless: they are below _temporary, or the missing _SUCCESS marks them as incomplete
            LOG.warn("output {}: cannot be removed, {}", path, failure.toString());
        }
    }

    private static boolean isEmpty(Path path) {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
            return !children.iterator().hasNext();
        } catch (IOException failure) {
            LOG.warn("output {}: cannot be listed, {}", path, failure.toString());
            return false;
        }
    }

    private static RuntimeException failed(Path path, String what, IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                "output " + path + ": " + what + " (expected: a directory with free space that this process may"
                        + " write to)",
                failure);
    }
}
