package dev.hearth.engine.internal.driver.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.HearthFiles;
import dev.hearth.api.Rdd;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests attached files, archives and jars through the whole driver, with an executor in this process. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class AttachmentsTest {
    private static final int TASKS = 8;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @TempDir
    private Path directory;

    private HearthContext open() {
        return local.open(Map.of("hearth.local.dir", directory.resolve("local").toString()));
    }

    private HearthContext open(Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("hearth.local.dir", directory.resolve("local").toString());
        return local.open(all);
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Path zip(String name, Map<String, byte[]> entries) throws IOException {
        Path archive = directory.resolve(name);
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
            }
        }
        return archive;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** The content of an attached file as each of some tasks reads it. */
    private static List<String> read(HearthContext context, String name, String within) {
        return context.parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
                .map(n -> {
                    Path file = HearthFiles.path(name);
                    return Files.readString(within.isEmpty() ? file : file.resolve(within));
                })
                .distinct()
                .collect();
    }

    private static void assertRefused(String code, String message, Executable use) {
        HearthException refused = assertThrows(HearthException.class, use);
        assertEquals(code, refused.code(), refused::getMessage);
        assertTrue(refused.getMessage().contains(message), refused::getMessage);
    }

    @Test
    void givesTasksACopyOfAFile() throws IOException {
        HearthContext context = open();
        Path file = write("words.txt", "to be");
        context.addFile(file.toString());
        Files.writeString(file, "changed later");
        assertEquals(List.of("to be"), read(context, "words.txt", ""));
        assertEquals("to be", Files.readString(context.attached("words.txt")));
        assertEquals(List.of("words.txt"), context.listFiles());
        assertNotEquals(file, context.attached("words.txt"));
    }

    @Test
    void takesUrisAndKeepsTheOrderOfAddition() throws IOException {
        HearthContext context = open();
        context.addFile(write("b c.txt", "one").toUri().toString());
        context.addFile(write("a.txt", "two").toString());
        assertEquals(List.of("b c.txt", "a.txt"), context.listFiles());
        assertEquals(List.of("one"), read(context, "b c.txt", ""));
    }

    @Test
    void protectsTheDriversCopyFromTasks() throws IOException {
        HearthContext context = open();
        context.addFile(write("a.txt", "given").toString());
        context.parallelize(List.of(1), 1)
                .foreach(n -> Files.writeString(HearthFiles.path("a.txt"), "overwritten by a task"));
        context.addFile(directory.resolve("a.txt").toString()); // unchanged, so it is not refused
        assertEquals(List.of("a.txt"), context.listFiles());
    }

    @Test
    void addsADirectoryOnlyWhenRecursive() throws IOException {
        HearthContext context = open();
        write("model/weights.txt", "1 2");
        write("model/deep/er.txt", "3");
        Files.createDirectories(directory.resolve("model/empty"));
        String path = directory.resolve("model").toString();
        assertRefused("BAD_ARGUMENT", "call addFile(path, true)", () -> context.addFile(path));
        context.addFile(path, true);
        context.addFile(path, true);
        assertEquals(List.of("model"), context.listFiles());
        assertEquals(List.of("1 2"), read(context, "model", "weights.txt"));
        assertEquals(List.of("3"), read(context, "model", "deep/er.txt"));
        assertTrue(Files.isDirectory(context.attached("model").resolve("empty")));
        write("model/weights.txt", "4");
        assertRefused("PATH_EXISTS", "another model was added before", () -> context.addFile(path, true));
    }

    @Test
    void unpacksArchivesUnderTheirNameOrAnother() throws IOException {
        HearthContext context = open();
        Path archive = zip("data.zip", Map.of("in/side.txt", bytes("packed")));
        context.addArchive(archive.toString());
        context.addArchive(archive + "#dictionary");
        assertEquals(List.of("data.zip", "dictionary"), context.listArchives());
        assertEquals(List.of(), context.listFiles());
        assertEquals(List.of("packed"), read(context, "data.zip", "in/side.txt"));
        assertEquals(List.of("packed"), read(context, "dictionary", "in/side.txt"));
    }

    @Test
    void attachesTheFilesAndArchivesOfItsSettings() throws IOException {
        Path file = write("one/words.txt", "to be");
        Path archive = zip("data.zip", Map.of("in/side.txt", bytes("packed")));
        HearthContext context = open(Map.of(
                "spark.files",
                file + ", " + file.toUri() + "#other%20name, local:/on/every/machine.txt",
                "hearth.archives",
                archive + "#dictionary," + archive));
        assertEquals(List.of("words.txt", "other%20name"), context.listFiles());
        assertEquals(List.of("dictionary", "data.zip"), context.listArchives());
        assertEquals(List.of("to be"), read(context, "words.txt", ""));
        assertEquals(List.of("packed"), read(context, "dictionary", "in/side.txt"));
        assertEquals("to be", Files.readString(context.attached("other%20name")));
        context.addFile(file.toString()); // the program may still add it itself
        assertEquals(List.of("words.txt", "other%20name"), context.listFiles());
    }

    @Test
    void refusesToOpenWithoutTheFilesOfItsSettings() throws IOException {
        write("one/a.txt", "one");
        write("two/a.txt", "two");
        String text = write("text.zip", "no archive").toString();
        String both = directory.resolve("one/a.txt") + "," + directory.resolve("two/a.txt");
        assertRefused(
                "PATH_MISSING",
                "hearth.files: '/none/a.txt': no such file",
                () -> open(Map.of("hearth.files", "/none/a.txt")));
        assertRefused(
                "PATH_EXISTS", "two/a.txt': another a.txt was added before", () -> open(Map.of("hearth.files", both)));
        assertRefused("FILE_DAMAGED", "hearth.archives: '" + text + "': ", () -> open(Map.of("hearth.archives", text)));
        assertRefused("BAD_ARGUMENT", "name 'x/y'", () -> open(Map.of("hearth.files", text + "#x/y")));
        assertRefused(
                "BAD_ARGUMENT", "a directory (expected: a file)", () -> open(Map.of("hearth.files", directory + "")));
    }

    @Test
    void runsAttachedPrograms() throws IOException {
        HearthContext context = open();
        context.addFile(write("shout.sh", "#!/bin/sh\ntr a-z A-Z\n").toString());
        assertEquals(
                List.of("TO BE"),
                context.parallelize(List.of("to be"), 1)
                        .pipe(List.of(context.attached("shout.sh").toString()))
                        .collect());
    }

    @Test
    void loadsClassesOfJarsAsTheyAreAdded() throws IOException {
        HearthContext context = open();
        Rdd<String> requested = context.parallelize(List.of("Late", "Later"), 2).map(AttachmentsTest::answer);
        assertEquals(List.of("no Late", "no Later"), requested.collect());
        context.addJar(jar("late.jar", "Late", "from late").toString());
        assertEquals(List.of("from late", "no Later"), requested.collect());
        context.addJar(jar("later.jar", "Later", "from later").toString());
        assertEquals(List.of("from late", "from later"), requested.collect());
        assertEquals(List.of("late.jar", "later.jar"), context.listJars());
        assertThrows(
                ClassNotFoundException.class,
                () -> Class.forName("Late", true, Thread.currentThread().getContextClassLoader()));
    }

    private static String answer(String type) {
        try {
            return Class.forName(type, true, Thread.currentThread().getContextClassLoader())
                    .getDeclaredConstructor()
                    .newInstance()
                    .toString();
        } catch (ClassNotFoundException missing) {
            return "no " + type;
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private Path jar(String name, String type, String answer) throws IOException {
        String text = "public class " + type + " { public String toString() { return \"" + answer + "\"; } }";
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///" + type + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                };
        Path classes = Files.createDirectories(directory.resolve("classes"));
        assertTrue(compiler.getTask(
                        null, null, null, List.of("-d", classes.toString(), "-proc:none"), null, List.of(source))
                .call());
        return zip(name, Map.of(type + ".class", Files.readAllBytes(classes.resolve(type + ".class"))));
    }

    @Test
    void acceptsTheSameFileTwiceAndRefusesAnotherOfThatName() throws Exception {
        HearthContext context = open();
        Path one = write("one/a.txt", "content");
        Path same = write("two/a.txt", "content");
        Path other = write("three/a.txt", "other");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Object>> additions = Stream.of(one, same, one, same)
                    .map(path -> Executors.callable(() -> context.addFile(path.toString())))
                    .toList();
            for (Future<Object> added : threads.invokeAll(additions)) {
                added.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(List.of("a.txt"), context.listFiles());
        assertRefused(
                "PATH_EXISTS",
                "three/a.txt': another a.txt was added before (expected: one file per name",
                () -> context.addFile(other.toString()));
        assertEquals(List.of("content"), read(context, "a.txt", ""));
        try (Stream<Path> all = Files.walk(directory.resolve("local"))) {
            assertEquals(
                    2,
                    all.filter(path -> Files.isRegularFile(path)
                                    && !path.toString().endsWith(".lock"))
                            .count(),
                    "the driver's copy and the tasks'");
        }
    }

    @Test
    void refusesPathsThatCannotBeAdded() throws IOException {
        HearthContext context = open();
        Path text = write("a.txt", "no jar");
        String missing = directory.resolve("missing.txt").toString();
        assertRefused("PATH_MISSING", "addFile: '" + missing + "': no such file", () -> context.addFile(missing));
        assertRefused("PATH_MISSING", "addArchive: '", () -> context.addArchive(missing + "#x"));
        assertRefused(
                "NO_PROVIDER",
                "file store for scheme 'http': not installed",
                () -> context.addFile("http://host/a.txt"));
        assertRefused(
                "NO_PROVIDER",
                "file store for scheme 'ivy': not installed",
                () -> context.addJar("ivy://group:name:1"));
        assertRefused("FILE_DAMAGED", "(expected: a whole zip or jar)", () -> context.addJar(text.toString()));
        assertRefused("FILE_DAMAGED", "(expected: a whole zip or jar)", () -> context.addArchive(text.toString()));
        assertRefused("BAD_ARGUMENT", "a directory (expected: a file)", () -> context.addJar(directory.toString()));
        assertRefused("BAD_ARGUMENT", "name ''", () -> context.addFile("/", true));
        Path archive = zip("z.zip", Map.of("a", bytes("b")));
        assertRefused("BAD_ARGUMENT", "name 'x/y'", () -> context.addArchive(archive + "#x/y"));
        assertRefused("BAD_ARGUMENT", "name ''", () -> context.addArchive(archive + "#"));
        assertEquals(List.of(), context.listFiles());
        assertFalse(Files.exists(directory.resolve("local/files")));
    }

    @Test
    void refusesArchivesThatEscapeTheirDirectory() throws IOException {
        HearthContext context = open();
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("fine", bytes("a"));
        entries.put("../../outside", bytes("b"));
        assertRefused(
                "FILE_DAMAGED",
                "holds '../../outside' (expected: names below the root of the archive)",
                () -> context.addArchive(zip("evil.zip", entries).toString()));
        assertRefused(
                "FILE_DAMAGED",
                "holds '/etc/outside'",
                () -> context.addArchive(
                        zip("root.zip", Map.of("/etc/outside", bytes("c"))).toString()));
    }

    @Test
    void refusesCallsOnTheWrongThread() throws IOException {
        HearthContext context = open();
        String path = write("a.txt", "a").toString();
        assertRefused("WRONG_THREAD", "on the driver, call HearthContext.attached", () -> HearthFiles.path("a.txt"));
        assertRefused(
                "PATH_MISSING",
                "attached file 'b': none of that name (expected: one of [])",
                () -> context.attached("b"));
        context.addFile(path);
        Rdd<Integer> numbers = context.parallelize(List.of(1), 1);
        assertRefused(
                "TASK_FAILED",
                "attached file 'b.txt': none of that name (expected: one of [a.txt])",
                () -> numbers.foreach(n -> HearthFiles.path("b.txt")));
        context.close();
        assertRefused("CONTEXT_CLOSED", "requested after it ended", () -> context.addFile(path));
    }

    @Test
    void deletesItsFilesOnClose() throws IOException {
        HearthContext context = open();
        context.addFile(write("a.txt", "a").toString());
        context.addJar(jar("late.jar", "Late", "late").toString());
        assertEquals(List.of("a"), read(context, "a.txt", ""));
        context.close();
        assertEquals(List.of(), left());
    }

    private List<Path> left() {
        try (Stream<Path> all = Files.list(directory.resolve("local"))) {
            return all.toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
