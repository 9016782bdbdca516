package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files and archives that a submission carries, as driver and executors of all kinds of clusters find them. */
@Timeout(120)
class CarriedFilesIT {
    private static final List<String> PATHS = List.of("words.txt", "other", "data/in/side.txt");

    @TempDir
    Path scratch;

    private Installation installation;
    private String files;
    private String archives;

    @BeforeEach
    void install() throws IOException {
        installation = Installation.in(scratch);
        Path words = Files.writeString(scratch.resolve("words.txt"), "to be");
        Path archive = scratch.resolve("data.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("in/side.txt"));
            zip.write("packed".getBytes(StandardCharsets.UTF_8));
        }
        files = scratch.resolve("w*.txt") + "," + words + "#other";
        archives = archive + "#data";
    }

    @Test
    void areFoundByDriverAndTasksInClientMode() throws Exception {
        for (String master : List.of("local[2]", "local-cluster[1,1,256]")) {
            assertFound(
                    run(List.of("--master", master), installation.applications().toString()), "none", "none");
        }
    }

    @Test
    void areInTheWorkingDirectoryOfADriverInClusterModeThatNeedsNoJar() throws Exception {
        try (Cluster cluster = Cluster.start(installation)) {
            String jar = "hearth.jars=local:" + installation.applications();
            List<String> where = List.of("--master", cluster.url(), "--deploy-mode", "cluster", "--conf", jar);
            assertFound(run(where, "spark-internal"), "to be", "packed");
        }
    }

    private String run(List<String> where, String application) throws Exception {
        List<String> arguments = new ArrayList<>(where);
        arguments.addAll(List.of("--files", files, "--archives", archives));
        arguments.addAll(List.of("--conf", "spark.driverEnv.COLOUR=blue", "--executor-memory", "256m"));
        arguments.addAll(List.of("--class", "dev.hearth.itests.endtoend.app.ShowsCarried", application));
        arguments.addAll(PATHS);
        try (Launched submit =
                installation.submit(Map.of("SPARK_TEAM", "red", "SPARK_LOCAL_IP", "127.0.0.1"), arguments)) {
            assertEquals(0, submit.status(), submit::errors);
            return submit.output();
        }
    }

    /** {@code file} and {@code inArchive} are the contents that the driver finds in its working directory. */
    private static void assertFound(String output, String file, String inArchive) {
        boolean onCluster = !file.equals("none");
        assertTrue(output.contains("lists [words.txt, other] [data]\n"), output);
        for (String path : PATHS) {
            String content = path.startsWith("data/") ? "packed" : "to be";
            String inDirectory = path.startsWith("data/") ? inArchive : file;
            assertTrue(output.contains("directory " + path + ": " + inDirectory + "\n"), output);
            assertTrue(output.contains("driver " + path + ": " + content + "\n"), output);
            assertTrue(output.contains("task " + path + ": " + content + "\n"), output);
        }
        assertTrue(output.contains("variable SPARK_TEAM: red\n"), output);
        assertTrue(output.contains("variable COLOUR: " + (onCluster ? "blue" : "null") + "\n"), output);
        assertTrue(output.contains("variable SPARK_LOCAL_IP: " + (onCluster ? "null" : "127.0.0.1") + "\n"), output);
    }
}
