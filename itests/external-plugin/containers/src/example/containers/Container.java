package example.containers;

import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.role.LaunchOrders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Directory of one process, with its launch orders, its output and, once it runs, its number. Calls wait for disks. */
record Container(Path directory) {
    static Container inNewDirectory(String purpose) {
        try {
            return new Container(Files.createTempDirectory("containers-" + purpose + "-"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    String name() {
        return directory.getFileName().toString();
    }

    /** Starts the process: its Java, with the installation in {@code home}, takes the orders from a file. */
    Process start(
            ProcessLauncher processes,
            Path home,
            String role,
            Map<String, String> orders,
            LaunchOptions options,
            int heapMebibytes) {
        try {
            Files.createDirectories(directory);
            Path file = Files.createFile(
                    directory.resolve("orders"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, LaunchOrders.of(orders).text());
            List<String> java = new ArrayList<>(options.javaOptions());
            java.add("-Xmx" + heapMebibytes + "m");
            java.add("-Dhearth.orders=" + file);
            java.add("-Djava.io.tmpdir=" + directory);
            List<String> command = new ArrayList<>(processes.command(role, java, home.toString()));
            command.set(
                    0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(directory.resolve("stdout").toFile())
                    .redirectError(directory.resolve("stderr").toFile());
            builder.environment().putAll(options.environment());
            Process process = builder.start();
            Files.writeString(directory.resolve("pid"), String.valueOf(process.pid()));
            return process;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    String text(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void remove() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
