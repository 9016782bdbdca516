package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.LaunchOrders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Launch orders in files, as an administrator writes them and as Kubernetes mounts them. */
class OrdersFileTest {
    @TempDir
    private Path directory;

    @Test
    void areReadFromOneFile() throws IOException {
        LaunchOrders orders = new LaunchOrders(Map.of("key", "${env:X}"), Set.of("key"));
        assertEquals(orders, new OrdersFile(file("orders", orders.text())).read("executor"));
    }

    @Test
    void areReadFromTheFilesOfADirectoryInOrder() throws IOException {
        Path data = Files.createDirectory(directory.resolve("..2026_11"));
        Path first = file("..2026_11/10-all", "a=${env:A}\nb=${env:B}\nc=3\nhearth.orders.environment=a,b\n.\n");
        Path second = file("..2026_11/20-own", "b=${env:USERS}\nd=${env:D}\nhearth.orders.environment=d\n.\n");
        Files.createSymbolicLink(directory.resolve("..data"), data);
        Files.createSymbolicLink(directory.resolve("20-own"), second);
        Files.createSymbolicLink(directory.resolve("10-all"), first);
        LaunchOrders orders = new OrdersFile(directory).read("executor");
        assertEquals(Map.of("a", "${env:A}", "b", "${env:USERS}", "c", "3", "d", "${env:D}"), orders.values());
        assertEquals(Set.of("a", "d"), orders.environmentKeys(), "a file marks keys for itself alone");
    }

    @ParameterizedTest
    @CsvSource({"rw-r--r--", "rw-rw----", "rw-----w-"})
    void areRefusedIfOthersHaveAccess(String rights) throws IOException {
        Path file = file("orders", "a=1\n.\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
        assertRefused(file, "other users have access to it (expected: mode 0600");
    }

    @Test
    void areRefusedUnlessTheyAreWhole() throws IOException {
        assertRefused(file("cut", "a=1\n"), "no line with a single dot (expected: one as the last line");
        assertRefused(file("two", "a=1\n.\nb=2\n.\n"), "text after the line with a single dot");
        assertRefused(directory.resolve("gone"), "cannot be read, java.nio.file.NoSuchFileException");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertRefused(empty, "an empty directory (expected: files with orders in it)");
        Files.createDirectory(empty.resolve("below"));
        assertThrows(HearthException.class, () -> new OrdersFile(empty).read("executor"));
    }

    @Test
    void areBounded() throws IOException {
        Path many = Files.createDirectory(directory.resolve("many"));
        for (int i = 0; i <= 64; i++) {
            file("many/" + i, "a=1\n.\n");
        }
        assertRefused(many, "more than 64 files");
        assertRefused(file("large", "#" + "x".repeat(16 * 1024 * 1024) + "\n.\n"), "more than 16777216 bytes");
    }

    private static void assertRefused(Path path, String words) {
        HearthException refused = assertThrows(HearthException.class, () -> new OrdersFile(path).read("executor"));
        assertEquals(ErrorCode.START_FAILED.name(), refused.code());
        assertTrue(
                String.valueOf(refused.getMessage()).startsWith("launch orders " + path + ": " + words),
                refused::getMessage);
    }

    private Path file(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
