package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.standalone.internal.contents.HeldContents;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places files from a content store in the directory of a driver: as hard links if the same user runs the driver,
 * otherwise as copies, which that user may read and not change. Used by one thread, which waits for disks.
 */
final class PlacedContents {
    /** Directory of the files, below the directory of the driver. */
    static final String DIRECTORY = "hearth-contents";

    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Worker");
    private static final String BUNDLES = "bundles"; // jars whose names are their hashes
    private static final String LISTABLE = "rwxr-xr-x";
    private static final String PASSABLE = "rwx--x--x";
    private static final String READABLE = "rw-r--r--";
    private static final String PRIVATE_DIRECTORY = "rwx------";
    private static final String PRIVATE_FILE = "rw-------";

    private final DriverFiles.Request request;

    PlacedContents(DriverFiles.Request request) {
        this.request = request;
    }

    /** Places all files. Each one but bundles is alone in a directory, because several may have one name. */
    Map<ContentAddress, Path> place(HeldContents contents) throws IOException {
        boolean whole = false;
        try {
            Map<ContentAddress, Path> placed = placeAll(contents);
            whole = true;
            return placed;
        } finally {
            if (!whole) {
                remove();
            }
        }
    }

    /** Removes the files of a driver that has ended or does not start, and its directory unless that has other files. */
    void remove() throws IOException {
        Path directory = request.directory().resolve(DIRECTORY);
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            List<Path> deepestFirst;
            try (Stream<Path> all = Files.walk(directory)) {
                deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        }
        try {
            Files.deleteIfExists(request.directory());
        } catch (DirectoryNotEmptyException others) {
            LOG.debug("{}: kept, as it has other files", request.directory(), others);
        }
    }

    private Map<ContentAddress, Path> placeAll(HeldContents contents) throws IOException {
        Path directory = request.directory().resolve(DIRECTORY);
        Files.createDirectories(directory);
        allow(request.directory(), PASSABLE, PRIVATE_DIRECTORY);
        allow(directory, PASSABLE, PRIVATE_DIRECTORY);
        Map<ContentAddress, Path> placed = new LinkedHashMap<>();
        for (ContentAddress content : request.contents()) {
            Path source = contents.find(content.content())
                    .orElseThrow(() -> ErrorCode.DISK_FAILED.failure("'" + content.name()
                            + "': gone since it was fetched (expected: room for all files of "
                            + request.driver() + " together); raise hearth.worker.contentBytesMax"));
            boolean isBundle = content.name().startsWith(content.content().sha256());
            Path own = directory.resolve(isBundle ? BUNDLES : String.valueOf(placed.size()));
            Files.createDirectories(own);
            allow(own, isBundle ? LISTABLE : PASSABLE, PRIVATE_DIRECTORY);
            Path target = own.resolve(content.name());
            Files.deleteIfExists(target);
            place(source, target);
            placed.put(content, target);
        }
        return placed;
    }

    private void place(Path source, Path target) throws IOException {
        if (!request.forOthers()) {
            try {
                Files.createLink(target, source);
                return;
            } catch (UnsupportedOperationException | FileSystemException none) {
                LOG.debug("{}: copied, as it cannot be linked", target, none);
            }
        }
        Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
        allow(target, READABLE, PRIVATE_FILE);
    }

    /** Sets the rights {@code others} if the driver runs as another user, and {@code own} otherwise. */
    private void allow(Path path, String others, String own) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(request.forOthers() ? others : own));
    }
}
