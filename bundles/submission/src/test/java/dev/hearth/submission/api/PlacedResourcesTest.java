package dev.hearth.submission.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.storage.StoreContext;
import dev.hearth.testkit.storage.MemoryFileStores;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources on the machine of the driver: local ones, fetched ones, and what goes wrong on the way. */
class PlacedResourcesTest {
    @TempDir
    private Path base;

    private Path temporary;
    private final MemoryFileStores stores = new MemoryFileStores();
    private List<Path> packages = List.of();
    private FileStoreRegistry registry = FileStoreRegistry.of(() -> List.of(stores));

    @BeforeEach
    void makeDirectory() throws IOException {
        temporary = Files.createDirectory(base.resolve("temporary"));
    }

    /** Places a plan, lets a test look at it, and closes it. */
    private void place(SubmissionPlan plan, Consumer<PlacedResources> look) {
        try (ResourceFetcher fetcher = new ResourceFetcher(registry, "pi", plan.settings(), temporary)) {
            look.accept(PlacedResources.of(plan, fetcher, packages));
        }
    }

    @AfterEach
    void leavesNothing() throws IOException {
        assertEquals(0, stores.openStores());
        if (Files.isDirectory(temporary)) {
            try (Stream<Path> left = Files.list(temporary)) {
                assertEquals(List.of(), left.toList());
            }
        }
    }

    @Test
    void fetchesEachAddressOnceAndKeepsItsName() throws IOException {
        stores.write("mem:///lib/a.jar", "jar a");
        stores.write("mem:///b.txt", "text b");
        SubmissionPlan plan = SubmissionPlan.builder("pi", "x.Pi")
                .add(Kind.APPLICATION_JAR, "mem:///lib/a.jar")
                .add(Kind.JAR, "mem:///lib/a.jar")
                .add(Kind.FILE, "mem:///b.txt")
                .add(Kind.FILE, "mem:///b.txt#c%20d.txt")
                .add(Kind.FILE, "local:/on/every/machine.txt")
                .settings(Settings.empty().with("test", "hearth.driver.extraClassPath", "mem:///lib/a.jar"))
                .build();
        place(plan, placed -> {
            assertEquals(1, placed.jars().size());
            Path jar = placed.jars().get(0);
            assertEquals("jar a", read(jar));
            assertEquals("a.jar", jar.getFileName().toString());
            assertEquals(List.of(jar), placed.classPath());
            String[] files =
                    placed.plan().settings().find("hearth.files").orElse("").split(",", -1);
            assertEquals(3, files.length);
            assertTrue(files[0].endsWith("/b.txt#b.txt"), files[0]);
            assertTrue(files[1].endsWith("/b.txt#c d.txt"), files[1]);
            assertEquals("local:/on/every/machine.txt", files[2]);
        });
        assertEquals(1, stores.opened());
        assertEquals(
                2,
                stores.operations().stream()
                        .filter(each -> each.startsWith("read "))
                        .count());
    }

    @Test
    void putsPackagesLastUnlessTheyAreThereAlready() throws IOException {
        Path one = Files.writeString(base.resolve("one.jar"), "one");
        Path copy = Files.writeString(base.resolve("copy.jar"), "one");
        Path other = Files.writeString(base.resolve("other.jar"), "two");
        packages = List.of(copy, other);
        SubmissionPlan plan = SubmissionPlan.builder("pi", "x.Pi")
                .add(Kind.JAR, one.toUri().toString())
                .build();
        place(plan, placed -> assertEquals(List.of(one, other), placed.jars()));
    }

    @Test
    void readsTheMainClassOfAFetchedJar() throws IOException {
        stores.write("mem:///a.jar", jar("x.Main"));
        SubmissionPlan plan = SubmissionPlan.builder("a.jar", "")
                .add(Kind.APPLICATION_JAR, "mem:///a.jar")
                .build();
        place(plan, placed -> assertEquals("x.Main", placed.plan().mainClass()));
        stores.write("mem:///a.jar", jar(""));
        refuses(plan, "BAD_ARGUMENT", "main class: none named in the manifest of mem:///a.jar (expected: ");
        stores.write("mem:///a.jar", "no jar");
        refuses(plan, "PATH_MISSING", " (expected: a jar); was it copied completely?");
    }

    @Test
    void refusesAManifestWithoutBound() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 5; i++) {
                out.write(zeros);
            }
        }
        Path jar = Files.write(base.resolve("bomb.jar"), bytes.toByteArray());
        assertTrue(Files.size(jar) < 10_000);
        refuses(
                SubmissionPlan.builder("a", "")
                        .add(Kind.APPLICATION_JAR, jar.toString())
                        .build(),
                "BAD_ARGUMENT",
                "manifest of more than 4194304 bytes (expected: at most that many); name the main class with --class");
    }

    @Test
    void removesCopiesOfTheApplicationJar() throws IOException {
        Path jar = Files.write(base.resolve("a.jar"), jar("x.Main"));
        Path copy = Files.copy(jar, base.resolve("copy.jar"));
        Path link = Files.createSymbolicLink(base.resolve("link.jar"), jar);
        Path other = Files.write(base.resolve("other.jar"), jar("x.Other"));
        SubmissionPlan plan = SubmissionPlan.builder("pi", "x.Pi")
                .add(Kind.APPLICATION_JAR, jar.toString())
                .add(Kind.JAR, jar.toString())
                .add(Kind.JAR, link.toString())
                .add(Kind.JAR, copy.toString())
                .add(Kind.JAR, other.toString())
                .add(Kind.JAR, "local:" + other)
                .build();
        place(plan, placed -> assertEquals(List.of(jar, other), placed.jars()));
    }

    @Test
    void fillsInPatternsThatOnlyTheDriverCanSee() throws IOException {
        Path one = Files.write(base.resolve("1.jar"), jar("x.One"));
        Path two = Files.write(base.resolve("2.jar"), jar("x.Two"));
        SubmissionPlan plan = SubmissionPlan.builder("pi", "x.Pi")
                .add(Kind.JAR, "local:" + base + "/*.jar")
                .build();
        place(plan, placed -> assertEquals(List.of(one, two), placed.jars()));
        refuses(
                SubmissionPlan.builder("pi", "x.Pi")
                        .add(Kind.JAR, base + "/none*.jar")
                        .build(),
                "PATH_MISSING",
                "no file matches");
        refuses(
                SubmissionPlan.builder("pi", "x.Pi")
                        .add(Kind.FILE, "file:" + base + "/*.jar#alias")
                        .build(),
                "BAD_ARGUMENT",
                "resolves ambiguously to multiple files");
    }

    @Test
    void placesFilesWithCommasInTheirPaths() throws IOException {
        Path file = Files.createDirectory(base.resolve("a,b")).resolve("c.txt");
        Files.writeString(file, "content");
        SubmissionPlan plan = SubmissionPlan.builder("pi", "x.Pi")
                .add(Kind.FILE, file.toString())
                .build();
        place(plan, placed -> {
            String entry = placed.plan().settings().find("hearth.files").orElse("");
            assertTrue(entry.endsWith("/a%2Cb/c.txt#c.txt"), entry);
        });
        refuses(
                SubmissionPlan.builder("pi", "x.Pi")
                        .add(Kind.FILE, file + "")
                        .build()
                        .but()
                        .resources(List.of(
                                dev.hearth.spi.cluster.SubmissionResource.of(Kind.FILE, "file:" + file + "#x,y")))
                        .build(),
                "BAD_ARGUMENT",
                "name 'x,y' (expected: a name without a comma)");
    }

    @Test
    void namesWhatIsPossibleForASchemeWithoutStore() {
        refuses(file("s3a://bucket/a.txt"), "BAD_ARGUMENT", "file 's3a://bucket/a.txt': file store for scheme 's3a'");
        refuses(file("s3a://bucket/a.txt"), "BAD_ARGUMENT", "(expected: one of [file, mem])");
    }

    @Test
    void reportsFilesThatAreMissingOrRefused() throws IOException {
        refuses(file("mem:///none.txt"), "PATH_MISSING", "file 'mem:///none.txt': no such file (expected: ");
        stores.write("mem:///dir/a.txt", "content");
        refuses(file("mem:///dir"), "BAD_ARGUMENT", "a directory (expected: a file)");
        stores.refuse(name -> true);
        refuses(file("mem:///dir/a.txt"), "PATH_MISSING", "cannot be read, ");
        stores.heal();
        stores.vanish(name -> true);
        refuses(file("mem:///dir/a.txt"), "PATH_MISSING", "no such file");
    }

    @Test
    void reportsAFetchThatBreaksOffHalfWay() throws IOException {
        stores.write("mem:///a.txt", "content");
        stores.failReadsAfter(3);
        refuses(
                file("mem:///a.txt"),
                "PATH_MISSING",
                "cannot be read, the connection to the storage was lost (expected");
    }

    @Test
    void refusesAFileThatChangesWhileItIsFetched() throws IOException {
        for (String later : List.of("longer content", "short", "")) {
            stores.write("mem:///a.txt", "content");
            registry = onRead(() -> rewrite(later));
            refuses(
                    file("mem:///a.txt"),
                    "FILE_DAMAGED",
                    "file 'mem:///a.txt': changed while it was fetched (expected: ");
        }
    }

    @Test
    void reportsAFullDisk() throws IOException {
        stores.write("mem:///a.txt", "content");
        registry = onRead(() -> {
            try (Stream<Path> all = Files.walk(temporary)) {
                Path deepest = all.max((one, other) -> one.getNameCount() - other.getNameCount())
                        .orElseThrow();
                Files.createSymbolicLink(deepest.resolve("a.txt"), Path.of("/dev/full"));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
        refuses(file("mem:///a.txt"), "DISK_FAILED", "No space left on device (expected: space in the directory");
        temporary = Files.createFile(base.resolve("no directory"));
        registry = FileStoreRegistry.of(() -> List.of(stores));
        refuses(file("mem:///a.txt"), "DISK_FAILED", "file 'mem:///a.txt': cannot be stored on this machine");
    }

    private static SubmissionPlan file(String address) {
        return SubmissionPlan.builder("pi", "x.Pi").add(Kind.FILE, address).build();
    }

    private void refuses(SubmissionPlan plan, String code, String message) {
        HearthException refused = assertThrows(HearthException.class, () -> place(plan, placed -> {}));
        assertEquals(code, refused.code(), refused::getMessage);
        assertTrue(String.valueOf(refused.getMessage()).contains(message), refused::getMessage);
    }

    /** Registry whose stores run {@code action} before they open a file for reading. */
    private FileStoreRegistry onRead(Runnable action) {
        FileStores observed = new FileStores() {
            @Override
            public FileStore open(String scheme, StoreContext context) {
                FileStore store = stores.open(scheme, context);
                return (FileStore) Proxy.newProxyInstance(
                        FileStore.class.getClassLoader(), new Class<?>[] {FileStore.class}, (proxy, method, given) -> {
                            if (method.getName().equals("read")) {
                                action.run();
                            }
                            try {
                                return method.invoke(store, given);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getTargetException();
                            }
                        });
            }

            @Override
            public Set<String> schemes() {
                return stores.schemes();
            }
        };
        return FileStoreRegistry.of(() -> List.of(observed));
    }

    private void rewrite(String content) {
        try {
            stores.write("mem:///a.txt", content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static byte[] jar(String mainClass) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!mainClass.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new JarOutputStream(bytes, manifest).close();
        return bytes.toByteArray();
    }
}
