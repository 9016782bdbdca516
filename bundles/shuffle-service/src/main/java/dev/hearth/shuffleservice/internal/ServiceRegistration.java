package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Record of an application that a service serves: the id that stands for the service, and the secret of the application. It is
 * in a file in the directory of the application, so that a worker that starts again at the same address serves the outputs at
 * once. Only the user of the worker can read it. Immutable.
 */
record ServiceRegistration(ExecutorId holder, Optional<Secret> secret) {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceRegistration.class);
    private static final String FILE = "served-by-";
    private static final String DRAFT = ".draft";
    private static final int LINES = 2;

    /** Writes this record into {@code root}. Without it, outputs are lost with this process, so a failure is only logged. */
    void write(Path root, RpcAddress address) {
        Path file = root.resolve(name(address));
        Path draft = root.resolve(name(address) + DRAFT);
        String text = holder.value() + "\n" + secret.map(Secret::reveal).orElse("") + "\n";
        try {
            Files.deleteIfExists(draft);
            try (FileChannel out = FileChannel.open(
                    draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), rights(root))) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            LOG.warn("{}: not written, so a restart of this worker loses these outputs: {}", file, failure.toString());
        }
    }

    private static FileAttribute<?>[] rights(Path root) {
        return root.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    private static String name(RpcAddress address) {
        return FILE + address.toString().replaceAll("[^A-Za-z0-9.-]", "_");
    }

    /** Records of the services at {@code address}, by the names of their directories below {@code parents}. */
    static Map<String, ServiceRegistration> find(List<Path> parents, RpcAddress address) {
        Map<String, ServiceRegistration> found = new TreeMap<>();
        for (Path parent : parents) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
                for (Path entry : entries) {
                    if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        read(entry.resolve(name(address)))
                                .ifPresent(each -> found.put(entry.getFileName().toString(), each));
                    }
                }
            } catch (NoSuchFileException none) {
                LOG.trace("{}: nothing to serve again", parent, none);
            } catch (IOException failure) {
                LOG.warn("{}: what was served there is not served again: {}", parent, failure.toString());
            }
        }
        return found;
    }

    private static Optional<ServiceRegistration> read(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            if (lines.size() != LINES) {
                throw new IOException(lines.size() + " lines (expected: " + LINES + ")");
            }
            Optional<Secret> secret =
                    Optional.of(lines.get(1)).filter(text -> !text.isEmpty()).map(Secret::of);
            return Optional.of(new ServiceRegistration(new ExecutorId(lines.get(0)), secret));
        } catch (IOException | RuntimeException damaged) {
            LOG.warn("{}: these outputs are not served again: {}", file, damaged.toString());
            return Optional.empty();
        }
    }

    /** Text form without the secret. */
    @Override
    public String toString() {
        return "served by " + holder;
    }
}
