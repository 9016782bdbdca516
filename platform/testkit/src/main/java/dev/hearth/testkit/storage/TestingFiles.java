package dev.hearth.testkit.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Operations on {@link TestingPath}, named and behaving as those of {@link java.nio.file.Files}. Stateless. */
public final class TestingFiles {
    private TestingFiles() {}

    public static boolean exists(TestingPath file) throws IOException {
        return file.store().look(file.name()).isPresent();
    }

    public static boolean isRegularFile(TestingPath file) throws IOException {
        return file.store().look(file.name()).filter(FileEntry::isFile).isPresent();
    }

    public static boolean isDirectory(TestingPath file) throws IOException {
        return file.store().look(file.name()).filter(FileEntry::isDirectory).isPresent();
    }

    public static long size(TestingPath file) throws IOException {
        return file.store()
                .look(file.name())
                .orElseThrow(() -> new NoSuchFileException(file.toString()))
                .length();
    }

    public static TestingPath createDirectory(TestingPath directory) throws IOException {
        directory.store().directory(directory.name(), true);
        return directory;
    }

    public static TestingPath createDirectories(TestingPath directory) throws IOException {
        directory.store().directory(directory.name(), false);
        return directory;
    }

    public static TestingPath createFile(TestingPath file) throws IOException {
        file.store().create(file.name(), false).close();
        return file;
    }

    public static OutputStream newOutputStream(TestingPath file) throws IOException {
        return file.store().create(file.name(), true);
    }

    public static TestingPath write(TestingPath file, byte[] content) throws IOException {
        try (StoreOutput out = file.store().create(file.name(), true)) {
            out.write(content);
        }
        return file;
    }

    public static TestingPath write(TestingPath file, List<String> lines) throws IOException {
        return writeString(file, String.join("\n", lines) + "\n");
    }

    public static TestingPath writeString(TestingPath file, String content) throws IOException {
        return write(file, content.getBytes(UTF_8));
    }

    public static byte[] readAllBytes(TestingPath file) throws IOException {
        try (StoreInput in = file.store().read(file.name(), 0)) {
            return in.readAllBytes();
        }
    }

    public static String readString(TestingPath file) throws IOException {
        return new String(readAllBytes(file), UTF_8);
    }

    public static List<String> readAllLines(TestingPath file) throws IOException {
        return readString(file).lines().toList();
    }

    public static void delete(TestingPath file) throws IOException {
        if (!exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        file.store().remove(file.name(), false);
    }

    public static void deleteIfExists(TestingPath file) throws IOException {
        file.store().remove(file.name(), false);
    }

    public static Stream<TestingPath> list(TestingPath directory) throws IOException {
        List<TestingPath> found = new ArrayList<>();
        directory
                .store()
                .list(directory.name())
                .forEachRemaining(entry -> found.add(new TestingPath(directory.stores(), entry.name())));
        return found.stream().sorted();
    }

    /** The directory itself and all that is below it. */
    public static Stream<TestingPath> walk(TestingPath directory) throws IOException {
        List<TestingPath> found = new ArrayList<>(List.of(directory));
        if (isDirectory(directory)) {
            for (TestingPath child : list(directory).toList()) {
                walk(child).forEach(found::add);
            }
        }
        return found.stream();
    }
}
