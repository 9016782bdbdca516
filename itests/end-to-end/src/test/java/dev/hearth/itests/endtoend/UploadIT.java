package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.stream.ContentId;
import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of submitters that the machines of the cluster do not see: they are deleted before a worker starts. */
@Timeout(180)
class UploadIT {
    private static final List<String> PATHS = List.of("words.txt", "data/in/side.txt");
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final String ARRIVED = ": arrived; ";

    @TempDir
    Path scratch;

    private Installation installation;
    private Path own; // the directory of the submitter
    private Launched.Ready master;

    @BeforeEach
    void install() throws IOException {
        installation = Installation.in(scratch);
        own = Files.createDirectory(scratch.resolve("of the submitter"));
        startMaster();
    }

    private void startMaster() throws IOException {
        master = installation.daemon(
                "master",
                "--port",
                "0",
                "--conf",
                "hearth.master.dir=" + scratch.resolve("master"),
                "--conf",
                "hearth.deploy.contentBytesMax=64m");
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        master.process().close();
        Processes.waitForTheEndOf(installation.processes());
    }

    @Test
    void reachDriverAndExecutorsAndAreSentOnce() throws Exception {
        List<String> arguments = carrying();
        List<Path> files = filesBelow(own);
        Path kept = Files.createDirectory(scratch.resolve("kept"));
        try (Launched first = submit(arguments)) {
            Eventually.until(
                    "the driver waits", () -> first.errors().contains("waits for a worker"), BOUND, first::errors);
            for (Path file : files) {
                Files.move(file, kept.resolve(file.getFileName()));
            }
            try (Launched worker = worker()) {
                assertEquals(0, first.status(), first::errors);
                assertFound(first.output());
                for (Path file : files) {
                    Files.move(kept.resolve(file.getFileName()), file);
                }
                long arrived = count(master.process(), ARRIVED);
                assertEquals(files.size(), arrived, master.process()::errors);
                try (Launched second = submit(arguments)) {
                    assertEquals(0, second.status(), second::errors);
                    assertFound(second.output());
                }
                assertEquals(arrived, count(master.process(), ARRIVED), master.process()::errors);
                assertEquals(arrived, count(worker, ARRIVED), worker::errors);
            }
        }
    }

    @Test
    void areRefusedBeforeTheyAreSentIfTheyAreTooLarge() throws Exception {
        Path huge = own.resolve("huge.jar");
        try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
            sparse.setLength(10L << 30);
        }
        try (Launched submit = submit(List.of("--class", "x.Y", huge.toString()))) {
            assertEquals(6, submit.status(), submit::errors);
            assertTrue(
                    submit.errors()
                            .startsWith("error: file to upload: 10240 MiB, and 0 bytes are in use (expected: at most"
                                    + " hearth.deploy.contentBytesMax = 64 MiB together); raise"),
                    submit::errors);
            assertEquals(1, submit.errors().lines().count(), submit::errors);
        }
        assertEquals(List.of(), filesBelow(scratch.resolve("master")));
    }

    @Test
    void comeOverHttpTooAndDriversGetTheBundlesOfTheirSubmitter() throws Exception {
        Installation submitter = Installation.in(Files.createDirectory(scratch.resolve("submitter")));
        Path plugin = new ExternalPlugin("store", scratch).build(submitter, "1.0");
        ExternalPlugin.drop(plugin, Files.createDirectories(submitter.home().resolve("deploy")));
        Path files = Files.createDirectory(scratch.resolve("files"));
        Files.write(files.resolve("words.txt"), inverted("to be"));
        byte[] jar = Files.readAllBytes(installation.applications());
        String content = ContentId.of(installation.applications()) + "/" + jar.length + "/applications.jar";
        int half = jar.length / 2;
        assertEquals(204, patch(content, jar, 0, half));
        assertEquals(409, patch(content, jar, half + 1, jar.length));
        assertEquals(201, patch(content, jar, half, jar.length));
        try (Launched worker = worker();
                Launched submit = submitter.submit(
                        Map.of("XDG_CACHE_HOME", scratch.resolve("cache").toString()),
                        List.of(
                                "--master",
                                master.line(),
                                "--deploy-mode",
                                "cluster",
                                "--executor-memory",
                                "256m",
                                "--class",
                                "dev.hearth.itests.endtoend.app.StoreUser",
                                "content:" + content,
                                "shelf:" + files))) {
            assertEquals(0, submit.status(), () -> submit.errors() + worker.errors());
            assertTrue(submit.output().contains("attached [to be]"), submit::output);
        }
    }

    @Test
    void goOnOverHttpWhereTheyStandAfterTheMasterWasKilled() throws Exception {
        byte[] jar = Files.readAllBytes(installation.applications());
        String content = ContentId.of(installation.applications()) + "/" + jar.length + "/applications.jar";
        assertEquals("404 0", look(content));
        int third = jar.length / 3;
        assertEquals(204, patch(content, jar, 0, third));
        assertEquals(204, patch(content, jar, third, 2 * third));
        assertEquals("404 " + 2 * third, look(content));
        master.process().kill();
        startMaster();
        assertEquals("404 " + 2 * third, look(content));
        assertEquals(409, patch(content, jar, 0, third));
        assertEquals(201, patch(content, jar, 2 * third, jar.length));
        assertEquals("200 " + jar.length, look(content));
        assertEquals(
                List.of((long) jar.length),
                filesBelow(scratch.resolve("master")).stream()
                        .map(file -> file.toFile().length())
                        .toList());
    }

    /** Status of the answer about a file, and how many bytes of it are there. */
    private String look(String content) throws Exception {
        HttpResponse<Void> answer = HttpClient.newHttpClient()
                .send(
                        request(content)
                                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
        return answer.statusCode() + " "
                + answer.headers().firstValue("Upload-Offset").orElse("");
    }

    private HttpRequest.Builder request(String content) {
        String[] parts = content.split("/", -1);
        return HttpRequest.newBuilder(URI.create(
                master.line().replace("hearth:", "http:") + "/v1/contents/" + parts[0] + "?name=" + parts[2]));
    }

    private int patch(String content, byte[] jar, int from, int until) throws Exception {
        HttpRequest request = request(content)
                .header("Content-Range", "bytes " + from + "-" + (until - 1) + "/" + jar.length)
                .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(jar, from, until - from))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static byte[] inverted(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) ~bytes[at];
        }
        return bytes;
    }

    private List<String> carrying() throws IOException {
        Path application = zip("application.jar", "nothing.txt", "");
        Path classes = Files.copy(installation.applications(), own.resolve("classes.jar"));
        Path classPath = zip("class path.jar", "carried.txt", "carried");
        Path archive = zip("data.zip", "in/side.txt", "packed");
        Path words = Files.writeString(own.resolve("some words.txt"), "to be");
        return new ArrayList<>(List.of(
                "--jars",
                classes.toString(),
                "--files",
                words + "#words.txt",
                "--archives",
                archive + "#data",
                "--driver-class-path",
                classPath.toString(),
                "--executor-memory",
                "256m",
                "--class",
                "dev.hearth.itests.endtoend.app.ShowsCarried",
                application.toString(),
                PATHS.get(0),
                PATHS.get(1)));
    }

    private static void assertFound(String output) {
        assertTrue(output.contains("class path: carried\n"), output);
        for (String who : List.of("directory", "driver", "task")) {
            assertTrue(output.contains(who + " words.txt: to be\n"), output);
            assertTrue(output.contains(who + " data/in/side.txt: packed\n"), output);
        }
    }

    private Launched submit(List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--master", master.line(), "--deploy-mode", "cluster"));
        all.addAll(arguments);
        return installation.submit(
                Map.of("XDG_CACHE_HOME", scratch.resolve("cache").toString()), all);
    }

    private Launched worker() throws IOException {
        return installation
                .daemon(
                        "worker",
                        "--cores",
                        "2",
                        "--memory",
                        "2g",
                        "--work-dir",
                        scratch.resolve("work").toString(),
                        master.line())
                .process();
    }

    private Path zip(String name, String entry, String text) throws IOException {
        Path file = own.resolve(name);
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private static long count(Launched daemon, String text) {
        return daemon.errors().lines().filter(line -> line.contains(text)).count();
    }

    private static List<Path> filesBelow(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> Files.isRegularFile(file)
                            && !file.getFileName().toString().equals("lock"))
                    .toList();
        }
    }
}
