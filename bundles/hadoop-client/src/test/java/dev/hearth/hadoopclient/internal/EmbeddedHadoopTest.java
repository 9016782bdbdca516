package dev.hearth.hadoopclient.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.shaded.javax.ws.rs.core.MediaType;
import org.apache.hadoop.util.ShutdownHookManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merged configurations with their origins, and calls under the right loader. */
class EmbeddedHadoopTest {
    private static final String OWN = "fs.test.own";

    @TempDir
    Path directory;

    private EmbeddedHadoop hadoop(Map<String, String> variables) {
        return new EmbeddedHadoop(
                Settings.empty(),
                new HadoopEnvironment(variables, directory.resolve("home")),
                Optional.empty(),
                () -> false);
    }

    private Path site(String where, String file, String... pairs) throws IOException {
        StringBuilder text = new StringBuilder("<configuration>");
        for (int i = 0; i < pairs.length; i += 2) {
            text.append("<property><name>" + pairs[i] + "</name><value>" + pairs[i + 1] + "</value></property>");
        }
        Path target = Files.createDirectories(directory.resolve(where)).resolve(file);
        return Files.writeString(target, text + "</configuration>");
    }

    @Test
    void startsEarlyAndOnce() throws Exception {
        EmbeddedHadoop hadoop = hadoop(Map.of());
        hadoop.begin();
        assertEquals("65536", hadoop.configuration().get("io.file.buffer.size"), "waits for the start");
    }

    @Test
    void doesNotStartAfterItsEnd() throws Exception {
        EmbeddedHadoop hadoop = hadoop(Map.of());
        hadoop.stop();
        hadoop.begin();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("hearth-hadoop-start")) {
                thread.join();
            }
        }
        assertTrue(EmbeddedHadoop.running().stream().noneMatch(running -> running == hadoop));
    }

    @Test
    void theFirstDirectoryWithAFileCountsAndSettingsOverrideFiles() throws Exception {
        Path core = site("home/conf", "core-site.xml", "fs.defaultFS", "hdfs://own", OWN, "a");
        site("hadoop", "core-site.xml", "fs.defaultFS", "hdfs://other", "only.there", "x");
        Path hdfs = site("hadoop", "hdfs-site.xml", "dfs.replication", "2", "dfs.blocksize", "7");
        site("yarn", "hdfs-site.xml", "dfs.replication", "9");
        Path yarn = site("yarn", "yarn-site.xml", "yarn.resourcemanager.hostname", "rm");
        EmbeddedHadoop hadoop = hadoop(Map.of(
                "HADOOP_CONF_DIR", directory.resolve("hadoop").toString(),
                "YARN_CONF_DIR", directory.resolve("yarn").toString()));
        Settings settings = Settings.empty()
                .with("--conf", Map.of("spark.hadoop.dfs.blocksize", "64", "hearth.hadoop.own.key", "v"));
        Configuration merged = hadoop.configuration(settings);
        assertEquals("hdfs://own", merged.get("fs.defaultFS"));
        assertNull(merged.get("only.there"));
        assertEquals("2", merged.get("dfs.replication"));
        assertEquals("64", merged.get("dfs.blocksize"));
        assertEquals("v", merged.get("own.key"));
        assertEquals("rm", merged.get("yarn.resourcemanager.hostname"));
        assertEquals("65536", merged.get("io.file.buffer.size"));
        assertEquals("1", merged.get("mapreduce.fileoutputcommitter.algorithm.version"));

        assertEquals(Optional.of(core.toString()), hadoop.origin(merged, OWN));
        assertEquals(Optional.of(hdfs.toString()), hadoop.origin(merged, "dfs.replication"));
        assertEquals(Optional.of(yarn.toString()), hadoop.origin(merged, "yarn.resourcemanager.hostname"));
        assertEquals(Optional.of("hearth.hadoop.dfs.blocksize from --conf"), hadoop.origin(merged, "dfs.blocksize"));
        assertEquals(Optional.of("default of Hearth"), hadoop.origin(merged, "io.file.buffer.size"));
        assertEquals(Optional.of("core-default.xml"), hadoop.origin(merged, "io.serializations"));
        assertEquals(Optional.empty(), hadoop.origin(merged, "no.such.key"));
        assertEquals(
                Set.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml"),
                hadoop.siteFiles().keySet());
    }

    @Test
    void anotherDirectoryTakesThePlaceOfThoseOfTheProcess() throws Exception {
        site("hadoop", "core-site.xml", "fs.defaultFS", "hdfs://one");
        Path other = site("other", "core-site.xml", "fs.defaultFS", "hdfs://two");
        EmbeddedHadoop hadoop =
                hadoop(Map.of("HADOOP_CONF_DIR", directory.resolve("hadoop").toString()));
        Configuration merged = hadoop.configuration(Settings.empty(), List.of(directory.resolve("other")));
        assertEquals("hdfs://two", merged.get("fs.defaultFS"));
        assertEquals(Optional.of(other.toString()), hadoop.origin(merged, "fs.defaultFS"));
        assertEquals("hdfs://one", hadoop.configuration(Settings.empty()).get("fs.defaultFS"));
    }

    @Test
    void variablesOfAwsSetKeysBelowSettings() {
        Map<String, String> variables =
                Map.of("AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "secret", "AWS_SESSION_TOKEN", "session");
        Configuration merged = hadoop(variables)
                .configuration(Settings.empty().with("--conf", "hearth.hadoop.fs.s3a.secret.key", "mine"));
        assertEquals("id", merged.get("fs.s3a.access.key"));
        assertEquals("mine", merged.get("fs.s3a.secret.key"));
        assertEquals("session", merged.get("fs.s3a.session.token"));
        Configuration half = hadoop(Map.of(
                        "AWS_ACCESS_KEY_ID", "id", "AWS_SESSION_TOKEN", "session", "AWS_ENDPOINT_URL", "https://there"))
                .configuration(Settings.empty());
        assertNull(half.get("fs.s3a.access.key"));
        assertNull(half.get("fs.s3a.session.token"));
        assertFalse("https://there".equals(half.get("fs.s3a.endpoint")));
    }

    @Test
    void theSizeOfBuffersIsASetting() throws Exception {
        Settings settings = Settings.empty().with("--conf", "spark.buffer.size", "4096");
        assertEquals("4096", hadoop(Map.of()).configuration(settings).get("io.file.buffer.size"));
        site("home/conf", "core-site.xml", "io.file.buffer.size", "123");
        assertEquals("123", hadoop(Map.of()).configuration(Settings.empty()).get("io.file.buffer.size"));
    }

    @Test
    void callsFindClassesAndSiteFilesWhateverTheContext() throws Exception {
        site("home/conf", "core-site.xml", OWN, "found");
        EmbeddedHadoop hadoop = hadoop(Map.of());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        ClassLoader foreign = ClassLoader.getPlatformClassLoader();
        thread.setContextClassLoader(foreign);
        try {
            String found = hadoop.call(() -> {
                assertSame(DistributedFileSystem.class, FileSystem.getFileSystemClass("hdfs", new Configuration()));
                return new Configuration().get(OWN);
            });
            assertEquals("found", found);
            assertSame(foreign, thread.getContextClassLoader());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void mediaTypesOfWebHdfsAreRead() {
        MediaType type = MediaType.valueOf("application/json; charset=\"utf-8\"");
        assertTrue(type.isCompatible(MediaType.APPLICATION_JSON_TYPE));
        assertEquals("application/json;charset=utf-8", type.toString());
        assertThrows(IllegalArgumentException.class, () -> MediaType.valueOf("json"));
    }

    @Test
    void hooksRunAtTheEndAndNotWithTheJvm() {
        assertEquals(
                EmbeddedHadoop.class.getProtectionDomain().getCodeSource(),
                ShutdownHookManager.class.getProtectionDomain().getCodeSource());
        Runnable hook = () -> {};
        ShutdownHookManager hooks = ShutdownHookManager.get();
        hooks.addShutdownHook(hook, 1);
        assertTrue(hooks.hasShutdownHook(hook));
        assertTrue(hooks.removeShutdownHook(hook));
        assertFalse(hooks.isShutdownInProgress());
    }
}
