package dev.hearth.hadoop.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreContext;
import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.storage.StoreTrait;
import dev.hearth.testkit.storage.FileStoreContract;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of stores on a file system that an application brings; HdfsStoreYarnIT has those of HDFS. */
class HadoopFileStoreTest extends FileStoreContract {
    @TempDir
    Path directory;

    private FileStore store;

    private record Application(String application, Settings settings) implements StoreContext {}

    private static FileStore open(String scheme, Settings settings) {
        return new HadoopFileStores(new PlainHadoop()).open(scheme, new Application("test", settings));
    }

    @BeforeEach
    void open() {
        store = open("lab", Settings.empty().with("test", "hearth.hadoop.fs.lab.impl", LabFileSystem.class.getName()));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    @Override
    protected FileStore store() {
        return store;
    }

    @Override
    protected FileName directory() {
        return new FileName("lab", "", directory.toString());
    }

    @Test
    void unknownFileSystemsPromiseNothing() {
        assertEquals(Set.of(), store.traits());
        assertTrue(SchemeTraits.of("hdfs").contains(StoreTrait.ATOMIC_RENAME));
    }

    @Test
    void aSchemeWithoutAClassIsNamedWithItsSetting() {
        HearthException failure = assertThrows(HearthException.class, () -> open("nowhere", Settings.empty()));
        assertEquals("NO_PROVIDER", failure.code());
        assertTrue(failure.getMessage().contains("hearth.hadoop.fs.nowhere.impl"), failure.getMessage());
        HearthException known = assertThrows(HearthException.class, () -> open("s3a", Settings.empty()));
        assertTrue(known.getMessage().contains("add hadoop-aws and the AWS SDK"), known.getMessage());
    }

    /** File system whose libraries are missing. */
    public static final class Incomplete extends RawLocalFileSystem {
        @Override
        public void initialize(URI name, Configuration configuration) {
            throw new NoClassDefFoundError("sdk/Client");
        }
    }

    @Test
    void namesTheClassThatAFileSystemLacks() throws Exception {
        FileStore incomplete =
                open("half", Settings.empty().with("test", "hearth.hadoop.fs.half.impl", Incomplete.class.getName()));
        StoreException missing = assertThrows(
                StoreException.class, () -> incomplete.look(new FileName("half", "", directory.toString())));
        assertTrue(missing.getMessage().contains("sdk/Client"), missing.getMessage());
        assertEquals("add the jar with that class to the application", missing.advice());
        incomplete.close();
    }

    private static Optional<FileName> home(String defaultFiles) {
        Settings settings = Settings.empty().with("test", "hearth.hadoop.fs.defaultFS", defaultFiles);
        return new HadoopFileStores(new PlainHadoop()).home(new Application("test", settings));
    }

    @Test
    void pathsWithoutASchemeAreRelativeToTheHomeOnTheDefaultFileSystem() throws Exception {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        assertEquals(Optional.of(new FileName("hdfs", "nn:8020", "/user/" + user)), home("hdfs://nn:8020"));
        assertEquals(Optional.of(new FileName("viewfs", "view", "/user/" + user)), home("viewfs://view/x"));
        assertEquals(Optional.empty(), home("file:///"));
        HearthException odd = assertThrows(HearthException.class, () -> home("hdfs://a b"));
        assertEquals("BAD_SETTING", odd.code());
        assertTrue(odd.getMessage().startsWith("fs.defaultFS: "), odd.getMessage());
    }

    @Test
    void failuresOfServersSayWhatToDo() {
        IOException safe = HadoopErrors.translate(
                "hdfs://a/b",
                new RemoteException("org.apache.hadoop.hdfs.server.namenode.SafeModeException", "Cannot\n\tat x"));
        assertTrue(safe instanceof StoreException store && store.advice().contains("safemode"), safe.toString());
        IOException refused = HadoopErrors.translate(
                "hdfs://a/b",
                new RemoteException(AccessControlException.class.getName(), "Permission denied: user=x\n\tat y"));
        assertEquals(
                List.of(AccessDeniedException.class.getName(), "hdfs://a/b: Permission denied: user=x"),
                List.of(refused.getClass().getName(), refused.getMessage()));
        IOException missing =
                HadoopErrors.translate("hdfs://a/b", new RemoteException(FileNotFoundException.class.getName(), "no"));
        assertEquals(NoSuchFileException.class, missing.getClass());
        IOException down = HadoopErrors.translate("hdfs://a/b", new ConnectException("Call From h to h:1 failed"));
        assertEquals("Call From h to h:1 failed", down.getMessage());
        assertEquals(
                "Call From h to h:1 failed; check the address, and that its NameNode runs",
                StoreException.textOf(down));
        assertEquals("java.io.IOException: x", StoreException.textOf(new IOException("x")));
        IOException other = new IOException("something else");
        assertEquals(other, HadoopErrors.translate("hdfs://a/b", other));
    }

    @Test
    void isClosedWithItsApplication() throws Exception {
        store.close();
        assertThrows(IOException.class, () -> store.look(directory()));
    }
}
