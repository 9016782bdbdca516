package dev.hearth.itests.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.hadoop.internal.HadoopFileStores;
import dev.hearth.hadoopclient.internal.EmbeddedHadoop;
import dev.hearth.hadoopclient.internal.ReceivedTokens;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileBlock;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreContext;
import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.testkit.storage.FileStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract of file stores on a real NameNode and DataNode, by RPC, by HTTP and through a view. */
@Timeout(180)
class HdfsStoreYarnIT {
    private static final long BLOCK = 1_048_576;

    @TempDir
    static Path scratch;

    private static HadoopLab lab;
    private static EmbeddedHadoop hadoop;
    private static final Map<String, FileStore> STORES = new LinkedHashMap<>();

    private record Kernel(Path home, Settings settings) implements KernelInfo {
        @Override
        public String role() {
            return "test";
        }

        @Override
        public String version() {
            return "0";
        }

        @Override
        public Instant startedAt() {
            return Instant.EPOCH;
        }

        @Override
        public Duration startTook() {
            return Duration.ZERO;
        }
    }

    private record Application(String application, Settings settings) implements StoreContext {}

    @BeforeAll
    static void start() throws Exception {
        HadoopLab.Plan plan =
                HadoopLab.Plan.ofFiles(1).with("hdfs-site.xml", "dfs.namenode.fs-limits.min-block-size", "1024");
        lab = HadoopLab.start(scratch.resolve("lab"), plan);
        Settings settings = Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "hearth.hadoop.fs.defaultFS", lab.files(),
                                "hearth.hadoop.dfs.blocksize", Long.toString(BLOCK),
                                "hearth.hadoop.fs.viewfs.mounttable.view.link./shown", lab.files() + "/"));
        hadoop = new EmbeddedHadoop(new Kernel(scratch, settings), new ReceivedTokens(), null);
        for (String scheme : List.of("hdfs", "webhdfs", "viewfs")) {
            STORES.put(scheme, new HadoopFileStores(hadoop).open(scheme, new Application("contract", settings)));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (FileStore store : STORES.values()) {
            store.close();
        }
        if (lab != null) {
            lab.close();
        }
    }

    /** Tests of one scheme. */
    private abstract static class OfScheme extends FileStoreContract {
        private final String scheme;
        private final String authority;
        private final String root;
        private FileName directory;

        OfScheme(String scheme, String authority, String root) {
            this.scheme = scheme;
            this.authority = authority;
            this.root = root;
        }

        @BeforeEach
        void createDirectory(TestInfo test) throws IOException {
            directory = new FileName(
                    scheme,
                    authority,
                    root + "/" + scheme + "/"
                            + test.getTestMethod().orElseThrow().getName());
            store().directory(directory, false);
        }

        @Override
        protected FileStore store() {
            return STORES.get(scheme);
        }

        @Override
        protected FileName directory() {
            return directory;
        }
    }

    @Nested
    class Hdfs extends OfScheme {
        Hdfs() {
            super("hdfs", "", "");
        }

        @Test
        void returnsTheHostsOfEachBlock() throws Exception {
            FileName file = directory().child("blocks");
            try (StoreOutput out = store().create(file, false)) {
                out.write(new byte[(int) (2 * BLOCK + 5)]);
            }
            List<FileBlock> blocks = store().blocks(file, BLOCK / 2, 2 * BLOCK + 5);
            assertEquals(3, blocks.size());
            assertEquals(BLOCK / 2, blocks.get(0).from());
            assertEquals(BLOCK, blocks.get(0).until());
            assertEquals(BLOCK, store().look(file).orElseThrow().blockBytes());
            assertEquals(List.of("127.0.0.1"), blocks.get(0).hosts());
        }

        @Test
        void setsPermissionsAndSaysWhatIsRefused() throws Exception {
            FileName file = directory().child("secret");
            store().create(file, false).close();
            store().permit(file, PosixFilePermissions.fromString("r--r-----"));
            assertTrue(lab.dfs("-ls", file.path()).contains("-r--r-----"), lab.dfs("-ls", file.path()));
            FileName no = new FileName("hdfs", "127.0.0.1:1", "/x");
            StoreException refused = assertThrows(StoreException.class, () -> store().look(no));
            assertEquals("check the address, and that its NameNode runs", refused.advice());
            FileName unknown = new FileName("hdfs", "no-such-service", "/x");
            StoreException missing = assertThrows(StoreException.class, () -> store().look(unknown));
            assertTrue(missing.advice().contains("HADOOP_CONF_DIR"), missing.advice());
        }

        @Test
        void saysThatTheNameNodeIsInSafeMode() throws Exception {
            lab.tool("org.apache.hadoop.hdfs.tools.DFSAdmin", "-safemode", "enter");
            try {
                FileName file = directory().child("safe");
                StoreException refused = assertThrows(StoreException.class, () -> store().create(file, false));
                assertTrue(refused.getMessage().contains("safe mode"), refused.getMessage());
            } finally {
                lab.tool("org.apache.hadoop.hdfs.tools.DFSAdmin", "-safemode", "leave");
            }
        }
    }

    @Nested
    class WebHdfs extends OfScheme {
        WebHdfs() {
            super("webhdfs", "127.0.0.1:" + lab.port("namenode.http-address"), "");
        }
    }

    @Nested
    class ViewFs extends OfScheme {
        ViewFs() {
            super("viewfs", "view", "/shown");
        }
    }

    @Test
    void aStoreThatIsClosedLeavesNothingInHadoopsCache() throws Exception {
        Settings settings = Settings.empty().with("test", "hearth.hadoop.fs.defaultFS", lab.files());
        FileStore store = new HadoopFileStores(hadoop).open("hdfs", new Application("one", settings));
        FileName file = FileName.parse(lab.files() + "/cache/file");
        store.directory(FileName.parse(lab.files() + "/cache"), false);
        try (StoreOutput out = store.create(file, false)) {
            out.write("x".getBytes(UTF_8));
        }
        store.close();
        assertThrows(IOException.class, () -> store.look(file));
    }
}
