package dev.hearth.yarn.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.stream.ContentId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagingStoreTest {
    private static final String ROOT = "/user/a/.hearth/store";

    private final SimulatedFiles files = new SimulatedFiles();
    private final List<String> warnings = new ArrayList<>();
    private int names;
    private final StagingStore store = store();

    private StagingStore store() {
        return new StagingStore(files, ROOT, () -> "name-" + names++, warnings::add);
    }

    private static ContentId hash(String content) {
        MessageDigest digest = ContentId.digest();
        digest.update(content.getBytes(UTF_8));
        return ContentId.of(digest);
    }

    private static StoredContent put(StagingStore store, String content) throws IOException {
        byte[] bytes = content.getBytes(UTF_8);
        return store.put(hash(content), "a.jar", bytes.length, 0, () -> new ByteArrayInputStream(bytes));
    }

    private static String path(String content) {
        String hash = hash(content).sha256();
        return ROOT + "/" + hash.substring(0, 2) + "/" + hash + "-a.jar";
    }

    @Test
    void uploadsAContentOnce() throws IOException {
        StoredContent first = put(store, "code");
        assertEquals(4, first.uploaded());
        assertEquals(path("code"), first.path());
        files.forgetCalls();
        StoredContent second = put(store(), "code");
        assertEquals(0, second.uploaded());
        assertEquals(first.changedMillis(), second.changedMillis());
        assertEquals(1, files.calls(), "calls of a submission that finds its content");
    }

    @Test
    void usesTheFileOfAFasterSubmitter() throws IOException {
        List<StoredContent> others = new ArrayList<>();
        files.beforeRename(() -> {
            try {
                others.add(put(store(), "code"));
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        });
        StoredContent mine = put(store, "code");
        assertEquals(others.get(0).path(), mine.path());
        assertEquals(List.of(path("code")), files.paths(), "one copy, and nothing on its way");
    }

    @Test
    void writesBesideAFileOfAnotherSize() throws IOException {
        files.write(path("code"), 0600, 0, () -> new ByteArrayInputStream(new byte[2]));
        StoredContent stored = put(store, "code");
        assertTrue(stored.path().contains(".2-"), stored::path);
        assertEquals(4, stored.bytes());
        assertTrue(warnings.get(0).contains("2 bytes (expected: 4)"), warnings::toString);
        assertEquals(0, put(store(), "code").uploaded());
    }

    @Test
    void leavesNothingBehindIfTheQuotaIsReached() throws IOException {
        files.limit(3);
        IOException full = assertThrows(IOException.class, () -> put(store, "code"));
        assertTrue(full.getMessage().contains("quota"));
        assertEquals(List.of(), files.paths());
    }

    @Test
    void uploadsAgainWhatHasVanished() throws IOException {
        put(store, "code");
        files.remove(ROOT);
        store.forget();
        assertEquals(4, put(store, "code").uploaded());
    }

    @Test
    void namesAContentByItsBytesIfItsHashIsNotKnown() throws IOException {
        byte[] bytes = "remote".getBytes(UTF_8);
        StoredContent stored = store.putUnknown("b.jar", 0, () -> new ByteArrayInputStream(bytes));
        assertEquals(hash("remote"), stored.content());
        assertEquals(6, stored.uploaded());
        StoredContent again = store().putUnknown("b.jar", 0, () -> new ByteArrayInputStream(bytes));
        assertEquals(stored.path(), again.path());
        assertEquals(List.of(stored.path()), files.paths());
    }

    @Test
    void isSharedOnlyIfOthersMayEnterIt() throws IOException {
        assertFalse(store.isShared());
        SimulatedFiles site = new SimulatedFiles();
        site.directory("/hearth", 0755);
        assertTrue(new StagingStore(site, "/hearth", () -> "x", warnings::add).isShared());
    }

    @Test
    void writesALeaseWithThePathsOfItsContents() throws IOException {
        StoredContent stored = put(store, "code");
        store.lease("application_1_0001", List.of(stored));
        assertEquals(
                stored.path().substring(ROOT.length() + 1) + "\n",
                files.read(ROOT + "/leases/application_1_0001").orElseThrow());
        store.release("application_1_0001");
        assertTrue(files.look(ROOT + "/leases/application_1_0001").isEmpty());
    }
}
