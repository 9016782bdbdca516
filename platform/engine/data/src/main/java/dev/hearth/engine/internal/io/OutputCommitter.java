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
 * One job's output, on the driver's side: made by {@link #prepare}, ended by {@link #commit} or {@link #abort}. Owned by the thread
 * that runs the job. What is there with {@code _SUCCESS} is whole. Until a job commits, nothing of it lies outside
 * {@code _temporary}; a process killed while it commits leaves parts, each whole by itself, without {@code _SUCCESS}.
 * <p>Making the directory is what claims it: of several jobs one wins, and what a killed one left must be removed by hand.
 */
public final class OutputCommitter {
    private static final Logger LOG = LoggerFactory.getLogger(OutputCommitter.class);
    /** Stands beside the parts of what is whole. */
    public static final String SUCCESS = "_SUCCESS";

    /** How often a tree is looked through again when late tasks add to it while it is removed. */
    private static final int REMOVALS_MAX = 5;

    private final Path directory;
    private final OutputTarget target;
    private final List<Path> published = new ArrayList<>();
    private boolean ended;

    private OutputCommitter(Path directory, OutputTarget target) {
        this.directory = directory;
        this.target = target;
    }

    /** Claims {@code path}, which must not be there, for a job with an id that no other job on this directory has. */
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
            throw failed(directory, "cannot be made, " + failure, failure);
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
            return failed(directory, there.getFile() + " is no directory", there);
        }
        boolean left = Files.exists(directory.resolve(OutputTarget.TEMPORARY));
        return ErrorCode.PATH_EXISTS.failure(
                "output directory " + directory + ": is there already"
                        + (left ? ", with the output of a job that still runs or was killed" : "")
                        + " (expected: nothing, for nothing is overwritten); remove it or choose another one",
                there);
    }

    /** What tasks are told. */
    public OutputTarget target() {
        return target;
    }

    /** Publishes the parts of all {@code partitions} and then says so by {@code _SUCCESS}. When it fails, {@link #abort} is due. */
    public void commit(int partitions) {
        publish(lengths(partitions), false);
    }

    /** As {@link #commit}, and leaves a {@link OutputManifest} for those who read it. */
    public void commitListed(int partitions) {
        publish(lengths(partitions), true);
    }

    /** Of the committed parts, by name. */
    private Map<String, Long> lengths(int partitions) {
        Map<String, Long> lengths = new LinkedHashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            String part = target.part(partition);
            try {
                lengths.put(part, Files.size(target.committed().resolve(part)));
            } catch (IOException gone) {
                throw ErrorCode.INTERNAL.failure(
                        "output directory " + directory + ": part " + partition + " is not there (expected: "
                                + partitions + " committed parts)",
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

    /** Removes everything of this job, and the directory. After a commit, or a second time, nothing is done. */
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
        } catch (IOException failure) { // what is left is under _temporary, or tells by the lack of _SUCCESS
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
                "output " + path + ": " + what + " (expected: a directory that this process may write to, with room)",
                failure);
    }
}
