package dev.hearth.engine.internal.attachments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.ApplicationDirectory;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the attachments of one process, with a scripted fetch of their contents. */
@Timeout(30)
class AttachedFilesTest {
    private static final ClassLoader APPLICATION = AttachedFilesTest.class.getClassLoader();
    private static final int ASKING = 8;

    @TempDir
    private Path base;

    private final AtomicInteger fetched = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(ASKING);
    private final List<AttachedFiles> open = new ArrayList<>();

    @AfterEach
    void close() {
        threads.shutdownNow();
        open.forEach(AttachedFiles::close);
    }

    private AttachedFiles files(AttachedFiles.Fetch fetch) {
        Settings settings = Settings.empty().with("test", "hearth.local.dir", base.toString());
        AttachedFiles files = new AttachedFiles(
                new ApplicationDirectory(() -> DiskSettings.from(settings)), APPLICATION, (attachment, target) -> {
                    fetched.incrementAndGet();
                    fetch.fetch(attachment, target);
                });
        open.add(files);
        return files;
    }

    private static void writeName(Attachment attachment, Path target) throws IOException {
        Files.writeString(target, attachment.name());
    }

    private static Attachment attachment(String name, AttachmentKind kind, int epoch) {
        return new Attachment(name, kind, new ContentId("0".repeat(64)), name.length(), epoch);
    }

    @Test
    void fetchesOnFirstUseAndOnce() throws Exception {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        CountDownLatch requested = new CountDownLatch(ASKING);
        AttachedFiles files = files((attachment, target) -> {
            try {
                mayGoOn.await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
            writeName(attachment, target);
        });
        files.update(List.of(attachment("a", AttachmentKind.FILE, 1), attachment("b", AttachmentKind.FILE, 2)));
        assertEquals(0, fetched.get());
        List<Future<Path>> answers = new ArrayList<>();
        for (int i = 0; i < ASKING; i++) {
            answers.add(threads.submit(() -> {
                requested.countDown();
                return files.path("a");
            }));
        }
        requested.await();
        mayGoOn.countDown();
        Set<Path> paths = ConcurrentHashMap.newKeySet();
        for (Future<Path> answer : answers) {
            paths.add(answer.get());
        }
        assertEquals(1, paths.size());
        assertEquals("a", Files.readString(paths.iterator().next()));
        assertEquals(1, fetched.get());
    }

    @Test
    void retriesAFailedFetch() throws IOException {
        AttachedFiles files = files((attachment, target) -> {
            Files.writeString(target, "half");
            if (fetched.get() == 1) {
                throw new IOException("connection lost");
            }
            Files.writeString(target, "whole");
        });
        files.update(List.of(attachment("a", AttachmentKind.FILE, 1)));
        HearthException failed = assertThrows(HearthException.class, () -> files.path("a"));
        assertEquals("DISK_FAILED", failed.code());
        assertTrue(failed.getMessage().contains("connection lost"), failed::getMessage);
        assertEquals("whole", Files.readString(files.path("a")));
    }

    @Test
    void refusesACorruptArchive() {
        AttachedFiles files = files(AttachedFilesTest::writeName);
        files.update(List.of(attachment("a.zip", AttachmentKind.ARCHIVE, 1)));
        HearthException failed = assertThrows(HearthException.class, () -> files.path("a.zip"));
        assertTrue(failed.getMessage().contains("attached file 'a.zip': cannot be placed at"), failed::getMessage);
    }

    @Test
    void takesUpdatesDuringAFetch() throws Exception {
        CountDownLatch fetching = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        AttachedFiles files = files((attachment, target) -> {
            fetching.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
            writeName(attachment, target);
        });
        Attachment jar = attachment("a.jar", AttachmentKind.JAR, 1);
        files.update(List.of(jar));
        Future<ClassLoader> classes = threads.submit(files::classes);
        fetching.await();
        files.update(List.of(jar, attachment("b.jar", AttachmentKind.JAR, 2)));
        mayGoOn.countDown();
        classes.get();
        files.classes();
        assertEquals(2, fetched.get());
    }

    @Test
    void keepsTheClassLoaderUntilAJarIsAdded() {
        AttachedFiles files = files(AttachedFilesTest::writeName);
        files.update(List.of(attachment("a.txt", AttachmentKind.FILE, 1)));
        assertTrue(!files.hasJars());
        files.update(List.of(attachment("a.jar", AttachmentKind.JAR, 2)));
        assertTrue(files.hasJars());
        ClassLoader classes = files.classes();
        assertSame(APPLICATION, classes.getParent());
        assertSame(classes, files.classes());
        assertEquals(1, fetched.get());
    }

    @Test
    void deletesItsFilesOnCloseAndFetchesNothingAfterwards() throws IOException {
        AttachedFiles files = files(AttachedFilesTest::writeName);
        files.update(List.of(attachment("a", AttachmentKind.FILE, 1), attachment("b", AttachmentKind.FILE, 2)));
        Path path = files.path("a");
        files.close();
        assertTrue(Files.notExists(path));
        try (var left = Files.list(base)) {
            assertEquals(List.of(), left.toList());
        }
        assertEquals(
                "CONTEXT_CLOSED",
                assertThrows(HearthException.class, () -> files.path("b")).code());
    }
}
