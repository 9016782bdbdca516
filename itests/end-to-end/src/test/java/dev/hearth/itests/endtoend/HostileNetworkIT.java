package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients without secret or token that use up connections, open files and memory of a master, as far as it lets them.
 * Honest clients are served all the time. With {@code -Pcrash} they are thousands.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class HostileNetworkIT {
    private static final boolean LONG = Integer.getInteger("hearth.crash.kills") != null;
    private static final int CONNECTIONS_MAX = LONG ? 4_000 : 300;
    private static final int STRANGERS = CONNECTIONS_MAX + CONNECTIONS_MAX / 6;
    private static final int ROUNDS = LONG ? 50 : 2;
    private static final int ANSWER_BYTES = 20_000_000;
    private static final int READERS_OF_NOTHING = LONG ? 400 : 100;
    private static final int ANSWERS = LONG ? 50 : 3;
    private static final int RESPONSE_MEBIBYTES = 100;
    private static final long MORE_KIBIBYTES_MAX = (RESPONSE_MEBIBYTES + 300) * 1024L;
    private static final int HTTP_MILLIS_MAX = 15_000;
    private static final Duration BOUND = Duration.ofMinutes(3);

    @TempDir
    Path scratch;

    private Installation installation;

    @BeforeEach
    void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @Test
    void strangersKeepOutNoClientThatAuthenticates() throws Exception {
        Path secret = Files.createFile(
                scratch.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "a secret of the test, 32 characters");
        List<String> authentication =
                List.of("--conf", "hearth.authenticate=true", "--conf", "hearth.authenticate.secret.file=" + secret);
        List<String> master = new ArrayList<>(List.of("master", "--port", "0"));
        master.addAll(List.of("--conf", "hearth.rpc.connectionsMax=" + CONNECTIONS_MAX));
        // strangers stay until others take their place, however long the machine takes to open them all
        master.addAll(List.of("--conf", "hearth.rpc.handshakeTimeout=10m"));
        master.addAll(authentication);
        Launched.Ready ready = installation.daemon(master.toArray(String[]::new));
        try (Launched running = ready.process();
                HostileClients strangers = new HostileClients(port(ready))) {
            assertAnswered(ready.line(), authentication);
            strangers.hold(
                    STRANGERS,
                    "/",
                    HostileClients.Kind.SILENT,
                    HostileClients.Kind.HALF_TLS,
                    HostileClients.Kind.SLOW_HEAD_OVER_TLS,
                    HostileClients.Kind.SLOW_HEAD_OVER_TLS);
            for (int round = 0; round < ROUNDS; round++) {
                assertAnswered(ready.line(), authentication);
                assertTrue(
                        descriptors(running.pid()) > CONNECTIONS_MAX / 2,
                        () -> "strangers hold " + descriptors(running.pid()) + " descriptors only");
            }
            assertTrue(strangers.renewed() > 0, "none was closed");
        }
    }

    @Test
    void strangersLeaveRoomForFilesWhereFewMayBeOpen() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 256; exec \"$0\" \"$@\""));
        // no connection is closed because it is slow
        command.addAll(installation.daemonCommand(
                List.of("master", "--port", "0", "--conf", "hearth.rpc.handshakeTimeout=10m")));
        Launched.Ready ready = Launched.startDaemon(scratch, command);
        try (Launched running = ready.process();
                HostileClients strangers = new HostileClients(port(ready))) {
            strangers.hold(400, "/", HostileClients.Kind.SLOW_HEAD);
            dropLongAnswers(ready);
            assertEquals(200, get(port(ready)), running::errors);
            assertTrue(strangers.renewed() > 0, "none was closed");
        }
    }

    @Test
    void clientsThatReadNothingTakeABoundedPartOfTheMemory() throws Exception {
        Launched.Ready ready = installation.daemon(
                "master", "--port", "0", "--conf", "hearth.rest.maxResponseMemory=" + RESPONSE_MEBIBYTES + "m");
        try (Launched running = ready.process();
                HostileClients strangers = new HostileClients(port(ready))) {
            dropLongAnswers(ready);
            assertEquals(200, get(port(ready)), running::errors);
            long before = kibibytes(running.pid(), "VmRSS");
            strangers.hold(READERS_OF_NOTHING, "/long", HostileClients.Kind.READS_NOTHING);
            for (int answer = 0; answer < ANSWERS; answer++) {
                Eventually.until("an answer", () -> get(port(ready)) == 200, BOUND, running::errors);
            }
            long most = kibibytes(running.pid(), "VmHWM");
            System.err.println("resident memory: " + before / 1024 + " MiB before, " + most / 1024 + " MiB at most");
            assertTrue(most - before < MORE_KIBIBYTES_MAX, () -> most - before + " KiB more than before");
        }
    }

    /** Asks the master with the secret for a submission that it does not know. */
    private void assertAnswered(String master, List<String> authentication) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--master", master, "--status", "driver-0"));
        arguments.addAll(authentication);
        try (Launched status = installation.submit(arguments.toArray(String[]::new))) {
            assertEquals(6, status.status(), status::errors);
            assertTrue(status.errors().contains("submission driver-0: not known to this master"), status::errors);
        }
    }

    /** Deploys a handler of {@code /long}, and waits until it is there. */
    private void dropLongAnswers(Launched.Ready ready) throws Exception {
        String component = """
                <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.4.0" name="answers.long">
                  <implementation class="answers.LongAnswers"/>
                  <property name="hearth.http-handler.prefix" value="/long"/>
                  <service><provide interface="dev.hearth.spi.http.HttpHandler"/></service>
                </scr:component>
                """;
        new UserJar(Files.createDirectories(scratch.resolve("long answers")))
                .against(installation, "hearth-api-", "hearth-spi-")
                .source("LongAnswers")
                .header("Bundle-ManifestVersion", "2")
                .header("Bundle-SymbolicName", "long-answers")
                .header("Bundle-Version", "1.0.0")
                .header("Import-Package", "dev.hearth.spi.http,dev.hearth.spi.net")
                .header("Service-Component", "OSGI-INF/long.xml")
                .resource("OSGI-INF/long.xml", component)
                .write(installation.home().resolve("deploy").resolve("long-answers.jar"));
        Eventually.until(
                "the handler of a dropped bundle",
                () -> get(port(ready)) == 200,
                BOUND,
                () -> ready.process().errors());
    }

    /** The status of a request for the long answer, which is read to its end; 0 if the connection broke. */
    private static int get(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(HTTP_MILLIS_MAX);
            String request = "GET /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readAllBytes();
            int status = Integer.parseInt(new String(answer, 9, 3, StandardCharsets.US_ASCII));
            return status == 200 && answer.length < ANSWER_BYTES ? 0 : status;
        } catch (IOException | IndexOutOfBoundsException broken) {
            return 0;
        }
    }

    private static int port(Launched.Ready ready) {
        return URI.create(ready.line()).getPort();
    }

    private static long descriptors(long pid) {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            return open.count();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long kibibytes(long pid, String name) throws IOException {
        return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
    }
}
