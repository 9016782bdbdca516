package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Entries of deploy/ that are deployed, and those that are passed over. */
@Timeout(30)
class DropDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void takesRegularFilesAndLinksToThem() throws Exception {
        Files.writeString(directory.resolve("a.jar"), "text");
        Files.writeString(directory.resolve("README.md"), "no jar");
        Files.createSymbolicLink(directory.resolve("b.jar"), directory.resolve("a.jar"));
        try (DropDirectory dropped = new DropDirectory(directory)) {
            DropDirectory.Listing listing = dropped.list();
            assertEquals(Set.of("a.jar", "b.jar"), listing.files().keySet());
            assertEquals(listing.files().get("a.jar"), listing.files().get("b.jar"));
            assertEquals(Set.of(), listing.passedOver().keySet());
        }
    }

    @Test
    void passesOverWhatIsNoFileAndSaysWhatItIs() throws Exception {
        Files.createDirectory(directory.resolve("directory.jar"));
        Files.createSymbolicLink(directory.resolve("device.jar"), Path.of("/dev/zero"));
        Files.createSymbolicLink(directory.resolve("loop.jar"), directory.resolve("loop.jar"));
        Files.createSymbolicLink(directory.resolve("nothing.jar"), directory.resolve("nothing"));
        try (DropDirectory dropped = new DropDirectory(directory);
                ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(directory.resolve("socket.jar")));
            DropDirectory.Listing listing = dropped.list();
            assertEquals(Set.of(), listing.files().keySet());
            assertReason("a directory", "directory.jar", listing);
            assertReason("a device", "device.jar", listing);
            assertReason("a socket", "socket.jar", listing);
            assertReason("a link to a file that does not exist", "nothing.jar", listing);
            assertReason("cannot be read: ", "loop.jar", listing);
        }
    }

    @Test
    void passesOverALinkWhoseTargetDoesNotAnswerUntilItDoes() throws Exception {
        Files.writeString(directory.resolve("a.jar"), "text");
        Files.createSymbolicLink(directory.resolve("link.jar"), directory.resolve("a.jar"));
        CountDownLatch answer = new CountDownLatch(1);
        DropDirectory.Targets targets = link -> {
            await(answer);
            return Files.readAttributes(link, BasicFileAttributes.class);
        };
        try (DropDirectory dropped = new DropDirectory(directory, targets, Duration.ofMillis(1))) {
            for (int scan = 0; scan < 3; scan++) {
                DropDirectory.Listing listing = dropped.list();
                assertEquals(Set.of("a.jar"), listing.files().keySet());
                assertReason("a link to a file on a file system that does not answer", "link.jar", listing);
            }
            answer.countDown();
            Eventually.until(
                    "the link is a file",
                    () -> dropped.list().files().keySet().equals(Set.of("a.jar", "link.jar")),
                    Duration.ofSeconds(10));
        }
    }

    private static void await(CountDownLatch answer) throws IOException {
        try {
            answer.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void assertReason(String begin, String name, DropDirectory.Listing listing) {
        String reason = String.valueOf(listing.passedOver().get(name));
        assertTrue(reason.startsWith(begin) && reason.contains("(expected: "), name + ": " + reason);
    }
}
