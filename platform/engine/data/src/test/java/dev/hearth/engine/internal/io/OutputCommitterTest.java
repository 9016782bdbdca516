package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.testkit.storage.ForwardingFileStore;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "{0}")
@EnumSource
class OutputCommitterTest extends FilesFixture {
    private static final String JOB = "job-7";
    private static final Path FULL = Path.of("/dev/full");

    private OutputCommitter prepare(FileCodec codec) {
        return OutputCommitter.prepare(home.resolve("a/b/out").toString(), JOB, codec, stores);
    }

    private List<String> content() throws IOException {
        try (Stream<TestingPath> all = TestingFiles.walk(home)) {
            return all.filter(path -> !path.equals(home))
                    .map(path -> home.relativize(path.toString()))
                    .sorted()
                    .toList();
        }
    }

    private boolean write(OutputCommitter output, int partition, int attempt, boolean may, String... lines) {
        try (TaskOutputFile part = new TaskOutputFile(output.target(), 0, partition, attempt, stores)) {
            TextOutput text = new TextOutput(part);
            for (String line : lines) {
                text.write(line);
            }
            text.flush();
            return part.commit(() -> may);
        }
    }

    @ParameterizedTest
    @EnumSource
    void publishesCommittedFilesAndTheSuccessMarker(FileCodec codec) throws IOException {
        OutputCommitter output = prepare(codec);
        assertTrue(write(output, 0, 0, true, "a", "b"));
        assertTrue(write(output, 1, 0, true));
        assertFalse(
                TestingFiles.exists(home.resolve("a/b/out/part-00000" + codec.suffix())), "not before the job commits");
        output.commit(2);
        String suffix = codec.suffix();
        assertEquals(
                List.of(
                        "a",
                        "a/b",
                        "a/b/out",
                        "a/b/out/_SUCCESS",
                        "a/b/out/part-00000" + suffix,
                        "a/b/out/part-00001" + suffix),
                content());
        List<String> lines = new ArrayList<>();
        FileSettings settings = new FileSettings(false, false, false, false, 1, 1);
        for (FileSplit part :
                FileSplitter.cut(InputPaths.find(home.resolve("a/b/out").toString(), access(settings)), 2, settings)) {
            new TextLines(part, access(settings), BufferReservation.uncounted()).forEachRemaining(lines::add);
        }
        assertEquals(List.of("a", "b"), lines);
        output.abort();
        assertEquals(6, content().size(), "what is committed stays");
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @Test
    void writesAManifestForReaders() throws IOException {
        TestingPath directory = home.resolve("a/b/out");
        OutputCommitter output = prepare(FileCodec.NONE);
        for (int part = 0; part < 3; part++) {
            assertTrue(write(output, part, 0, true, "line ".repeat(part)));
        }
        output.commitListed(3);
        assertTrue(content().contains("a/b/out/.parts"), content()::toString);
        assertEquals(6, found(directory, FileSettings.DEFAULTS).get(1).length());
        OutputManifest list = OutputManifest.in(directory.name(), stores).orElseThrow();
        assertEquals(List.of("part-00000", "part-00001", "part-00002"), list.names());
        byte[] last = TestingFiles.readAllBytes(directory.resolve("part-00002"));
        TestingFiles.delete(directory.resolve("part-00002"));
        assertEquals("PATH_MISSING", refusal(directory, "part-00002: is missing (expected: 3 parts"));
        assertEquals(
                2,
                InputPaths.find(directory.toString(), access(FileSettings.DEFAULTS))
                        .size(),
                "who reads lines may");
        assertEquals(
                2,
                found(directory, new FileSettings(true, false, false, false, 1, 1))
                        .size());
        TestingFiles.write(directory.resolve("part-00002"), List.of("shorter"));
        assertEquals("FILE_DAMAGED", refusal(directory, "part-00002: has 8 bytes (expected: 11"));
        assertEquals(
                3,
                found(directory, new FileSettings(false, true, false, false, 1, 1))
                        .size());
        TestingFiles.writeString(directory.resolve("part-00002"), "longer than before\n");
        assertEquals("FILE_DAMAGED", refusal(directory, "part-00002: has 19 bytes (expected: 11"));
        TestingFiles.write(directory.resolve("part-00002"), last);
        assertEquals(3, found(directory, FileSettings.DEFAULTS).size());
    }

    private List<InputFile> found(TestingPath directory, FileSettings settings) {
        return InputPaths.findListed(directory.toString(), access(settings));
    }

    private String refusal(TestingPath directory, String expected) {
        HearthException refused = assertThrows(HearthException.class, () -> found(directory, FileSettings.DEFAULTS));
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
        return refused.code();
    }

    @Test
    void refusesATruncatedManifest() throws IOException {
        TestingPath directory = home.resolve("a/b/out");
        OutputCommitter output = prepare(FileCodec.NONE);
        assertTrue(write(output, 0, 0, true, "a"));
        assertTrue(write(output, 1, 0, true, "b"));
        output.commitListed(2);
        String list = TestingFiles.readString(directory.resolve(".parts"));
        for (int length = 0; length < list.length() - 1; length++) { // without the end of its last line
            TestingFiles.writeString(directory.resolve(".parts"), list.substring(0, length));
            HearthException refused = assertThrows(
                    HearthException.class,
                    () -> OutputManifest.in(directory.name(), stores)
                            .orElseThrow()
                            .check(false, false));
            assertEquals("FILE_DAMAGED", refused.code(), "of " + length + " characters");
        }
        TestingFiles.delete(directory.resolve(".parts"));
        assertEquals(2, found(directory, FileSettings.DEFAULTS).size(), "as from a job that left none");
    }

    @Test
    void publishesOnlyTheAttemptWithPermission() throws IOException {
        OutputCommitter output = prepare(FileCodec.NONE);
        assertFalse(write(output, 0, 0, false, "denied"));
        assertTrue(write(output, 0, 1, true, "first"));
        assertTrue(write(output, 0, 2, true, "again, as the first did not live to say so"));
        TaskOutputFile late = new TaskOutputFile(output.target(), 0, 0, 3, stores);
        output.commit(1);
        assertThrows(HearthException.class, () -> late.commit(() -> true), "its directory is gone");
        assertEquals(List.of("a", "a/b", "a/b/out", "a/b/out/_SUCCESS", "a/b/out/part-00000"), content());
        assertEquals(
                "again, as the first did not live to say so\n",
                TestingFiles.readString(home.resolve("a/b/out/part-00000")));
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @Test
    void refusesAnExistingDirectory() throws IOException {
        TestingFiles.createDirectories(home.resolve("a/b/out"));
        HearthException refused = assertThrows(HearthException.class, () -> prepare(FileCodec.NONE));
        assertEquals("PATH_EXISTS", refused.code());
        assertEquals(
                "output directory " + home.resolve("a/b/out")
                        + ": exists already (expected: no such directory, as nothing is overwritten); remove it or choose another one",
                refused.getMessage());
        TestingFiles.delete(home.resolve("a/b/out"));
        TestingFiles.createFile(home.resolve("a/b/out"));
        assertEquals(
                "PATH_EXISTS",
                assertThrows(HearthException.class, () -> prepare(FileCodec.NONE))
                        .code());
        TestingFiles.delete(home.resolve("a/b/out"));
        if (!home.isLocal()) {
            return; // only local files have links
        }
        Files.createSymbolicLink(temporary.resolve("a/b/out"), temporary.resolve("nowhere"));
        assertEquals(
                "PATH_EXISTS",
                assertThrows(HearthException.class, () -> prepare(FileCodec.NONE))
                        .code());
    }

    @Test
    void onlyOneOfTwoJobsClaimsADirectory() {
        OutputCommitter first = prepare(FileCodec.NONE);
        String again = (home.isLocal() ? "file:" : "") + first.target().directory();
        HearthException refused = assertThrows(
                HearthException.class, () -> OutputCommitter.prepare(again, "job-8", FileCodec.NONE, stores));
        assertEquals("PATH_EXISTS", refused.code());
        assertTrue(refused.getMessage().contains("a job that still runs or was killed"), refused.getMessage());
        assertTrue(write(first, 0, 0, true, "a"));
        first.commit(1);
    }

    @Test
    void refusesWhereItMayNotWrite() throws IOException {
        TestingFiles.createFile(home.resolve("a"));
        HearthException refused = assertThrows(HearthException.class, () -> prepare(FileCodec.NONE));
        assertEquals("DISK_FAILED", refused.code());
        assertTrue(refused.getMessage().contains(home.resolve("a").toString()), refused.getMessage());
        HearthException system = assertThrows(
                HearthException.class, () -> OutputCommitter.prepare("/proc/none/out", JOB, FileCodec.NONE, stores));
        assertEquals("DISK_FAILED", system.code());
        assertThrows(HearthException.class, () -> OutputCommitter.prepare(" ", JOB, FileCodec.NONE, stores));
        assertThrows(HearthException.class, () -> OutputCommitter.prepare("hdfs://x/y", JOB, FileCodec.NONE, stores));
    }

    @Test
    void leavesNothingOfAnAbortedJob() throws IOException {
        OutputCommitter output = prepare(FileCodec.NONE);
        assertTrue(write(output, 0, 0, true, "a"));
        TaskOutputFile open = new TaskOutputFile(output.target(), 0, 1, 0, stores);
        open.write("half".getBytes(UTF_8), 0, 4);
        output.abort();
        assertEquals(List.of("a", "a/b"), content());
        HearthException gone = assertThrows(HearthException.class, () -> open.commit(() -> true));
        assertEquals("DISK_FAILED", gone.code());
        HearthException late =
                assertThrows(HearthException.class, () -> new TaskOutputFile(output.target(), 0, 2, 0, stores));
        assertTrue(late.getMessage().contains("part-00002: cannot be created"), late.getMessage());
        assertEquals(List.of("a", "a/b"), content(), "and nobody brings it back");
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
        prepare(FileCodec.NONE).abort();
    }

    @Test
    void removesPublishedFilesWhenTheCommitFails() throws IOException {
        OutputCommitter output = prepare(FileCodec.NONE);
        assertTrue(write(output, 0, 0, true, "a"));
        assertTrue(write(output, 1, 0, true, "b"));
        TestingFiles.createDirectories(home.resolve("a/b/out/part-00001/full")); // blocks the second one
        HearthException failed = assertThrows(HearthException.class, () -> output.commit(2));
        assertEquals("DISK_FAILED", failed.code());
        assertTrue(failed.getMessage().contains("part-00001: cannot be published"), failed.getMessage());
        output.abort();
        assertEquals(List.of("a", "a/b", "a/b/out", "a/b/out/part-00001", "a/b/out/part-00001/full"), content());
    }

    /** As many as overlap on a storage elsewhere. */
    @Test
    void publishesManyPartsOrNone() throws IOException {
        int parts = 100;
        OutputCommitter output = prepare(FileCodec.NONE);
        for (int part = 0; part < parts; part++) {
            assertTrue(write(output, part, 0, true, "a"));
        }
        TestingFiles.createDirectories(home.resolve("a/b/out/part-00050/full"));
        HearthException failed = assertThrows(HearthException.class, () -> output.commit(parts));
        assertTrue(failed.getMessage().contains("part-00050: cannot be published"), failed.getMessage());
        output.abort();
        assertEquals(List.of("a", "a/b", "a/b/out", "a/b/out/part-00050", "a/b/out/part-00050/full"), content());

        OutputCommitter again =
                OutputCommitter.prepare(home.resolve("a/b/again").toString(), JOB, FileCodec.NONE, stores);
        for (int part = 0; part < parts; part++) {
            assertTrue(write(again, part, 0, true, "a"));
        }
        again.commit(parts);
        assertEquals(5 + 1 + parts + 1, content().size()); // the directory, its parts and _SUCCESS
    }

    @Test
    void commitsNoJobWithAMissingPart() throws IOException {
        OutputCommitter output = prepare(FileCodec.NONE);
        assertTrue(write(output, 0, 0, true, "a"));
        HearthException failed = assertThrows(HearthException.class, () -> output.commit(2));
        assertEquals("INTERNAL", failed.code());
        output.abort();
        assertFalse(TestingFiles.exists(home.resolve("a/b/out")));
    }

    @ParameterizedTest
    @EnumSource
    void reportsAFullDiskAndLeavesNothing(FileCodec codec) throws IOException {
        assertTrue(Files.exists(FULL), "the system has a file that is always full");
        OutputCommitter output = prepare(codec);
        List<String> before = content();
        memory.failWritesAfter(100_000);
        ApplicationStores full = home.isLocal() ? TestingStores.always(new FullDisk()) : stores;
        HearthException failed = assertThrows(HearthException.class, () -> {
            try (TaskOutputFile part = new TaskOutputFile(output.target(), 0, 3, 0, full)) {
                byte[] noise = new byte[3_000_000];
                new Random(7).nextBytes(noise);
                part.write(noise, 0, noise.length);
                part.commit(() -> true);
            }
        });
        assertEquals("DISK_FAILED", failed.code());
        assertTrue(failed.getMessage().contains("part-00003"), failed.getMessage());
        String why = home.isLocal() ? "No space left" : "the connection to the storage was lost";
        assertTrue(failed.getMessage().contains(why), failed.getMessage());
        assertEquals(before, content());
        assertEquals(List.of(), OpenFileDescriptors.below(FULL));
    }

    /** Store that creates files, and then writes to a disk without space. */
    private static final class FullDisk extends ForwardingFileStore {
        FullDisk() {
            super(LocalFileStore.INSTANCE);
        }

        @Override
        public StoreOutput create(FileName file, boolean replace) throws IOException {
            super.create(file, replace).close();
            return super.create(FileName.local(FULL.toString()), true);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 65_535, 65_536, 100_000})
    void encodesTextLikeTheJdk(int length) throws IOException {
        OutputCommitter output = prepare(FileCodec.NONE);
        List<Object> elements = new ArrayList<>();
        StringBuilder ascii = new StringBuilder();
        StringBuilder mixed = new StringBuilder();
        for (int i = 0; i < length; i++) {
            ascii.append((char) (' ' + i % 90));
            mixed.appendCodePoint(new int[] {'a', 0xE4, 0x20AC, 0x1F600, 0xD800, 0xDC00, 0x7FF, 0x800, 0xFFFF}[i % 9]);
        }
        elements.add(ascii.toString());
        elements.add(mixed.toString());
        elements.add(null);
        elements.add(-42L);
        elements.add(new Unnamed());
        StringBuilder expected = new StringBuilder();
        try (TaskOutputFile part = new TaskOutputFile(output.target(), 0, 0, 0, stores)) {
            TextOutput text = new TextOutput(part);
            for (Object element : elements) {
                text.write(element);
                expected.append(element).append('\n');
            }
            text.flush();
            assertEquals(expected.toString().getBytes(UTF_8).length, part.written());
            assertTrue(part.commit(() -> true));
        }
        output.commit(1);
        assertEquals(
                new String(expected.toString().getBytes(UTF_8), UTF_8),
                TestingFiles.readString(home.resolve("a/b/out/part-00000")));
    }

    private static final class Unnamed {
        @Override
        @SuppressWarnings("ToStringReturnsNull") // as an application may do
        public String toString() {
            return null;
        }
    }

    @Test
    void isNotDisturbedByAnInterrupt() throws IOException {
        OutputCommitter output = prepare(FileCodec.GZIP);
        Thread.currentThread().interrupt();
        assertTrue(write(output, 0, 0, true, "a"));
        output.commit(1);
        assertTrue(Thread.interrupted());
        assertTrue(TestingFiles.exists(home.resolve("a/b/out/_SUCCESS")));
    }

    @Test
    void namesPartsIndependentlyOfTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertEquals("part-00012.gz", new OutputTarget("/out", JOB, FileCodec.GZIP).part(12));
        } finally {
            Locale.setDefault(before);
        }
    }
}
