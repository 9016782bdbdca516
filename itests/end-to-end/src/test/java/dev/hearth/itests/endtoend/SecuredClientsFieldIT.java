package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Foreign clients with a cluster that authenticates and encrypts: curl with the token, and the client of Spark through a proxy. */
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.field", matches = "true")
class SecuredClientsFieldIT {
    private static final String TOKEN = "token-0123456789abcdef0123456789abcdef";
    private static final String PI = "dev.hearth.examples.Pi";
    private static final Pattern ID = Pattern.compile("driver-\\d{14}-\\d{4}");

    @TempDir
    Path scratch;

    private Installation installation;
    private OwnCertificate certificate;
    private Cluster cluster;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        certificate = OwnCertificate.in(scratch);
        cluster = Cluster.start(
                installation,
                "--conf",
                "hearth.authenticate=true",
                "--conf",
                "hearth.authenticate.secret.file="
                        + OwnCertificate.secret(scratch, "secret", "secret-0123456789abcdef01234567"),
                "--conf",
                "hearth.rest.token.file=" + OwnCertificate.secret(scratch, "token", TOKEN),
                "--conf",
                "hearth.ssl.rpc.certChain=" + certificate.chain(),
                "--conf",
                "hearth.ssl.rpc.privateKey=" + certificate.key(),
                "--conf",
                "hearth.ssl.rpc.trustCerts=" + certificate.chain());
    }

    @AfterEach
    void leaveNothing() throws InterruptedException {
        if (cluster != null) {
            cluster.close();
            Processes.waitForTheEndOf(installation.processes());
        }
    }

    @Test
    void answerCurlWithTheTokenAlone() throws Exception {
        String header = "Authorization: Bearer " + TOKEN;
        String refused = curl("--write-out", "%{http_code}", "-XPOST", url("create"), "--data", body());
        assertTrue(refused.endsWith("401"), refused);
        assertTrue(refused.contains("\"action\" : \"ErrorResponse\""), refused);
        String wrong = curl("--write-out", "%{http_code}", "--header", header + "x", url("status/driver-1"));
        assertTrue(wrong.endsWith("401") || wrong.endsWith("403"), wrong);
        assertTrue(curl(url("readyz")).contains("\"success\" : true"));

        String created = curl("--header", header, "-XPOST", url("create"), "--data", body());
        Matcher id = ID.matcher(created);
        assertTrue(id.find(), created);
        String status = curl("--header", header, url("status/" + id.group()));
        assertTrue(status.contains("\"submissionId\" : \"" + id.group() + "\""), status);
        assertTrue(curl("--header", header, "-XPOST", url("kill/" + id.group())).contains("\"submissionId\""), created);
    }

    @Test
    void refusePlainHttp() throws Exception {
        String refused = curl(
                "--write-out",
                "%{http_code}",
                "--header",
                "Authorization: Bearer " + TOKEN,
                url("readyz").replace("https:", "http:"));

        assertTrue(refused.endsWith("400"), refused);
        assertTrue(refused.contains("TLS"), refused);
    }

    /** The proxy of docs/rest.md: it adds the token and the encryption that clients of Spark lack. */
    @Test
    void serveClientsOfSparkBehindAProxy() throws Exception {
        ForeignClients clients = ForeignClients.in(scratch);
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        HttpClient behind = HttpClient.newBuilder().sslContext(trusting()).build();
        proxy.createContext("/", exchange -> pass(exchange, behind));
        proxy.start();
        try {
            String master = "spark://127.0.0.1:" + proxy.getAddress().getPort();
            Launched submit = clients.sparkSubmit(
                    "--master",
                    master,
                    "--deploy-mode",
                    "cluster",
                    "--conf",
                    "spark.master.rest.enabled=true",
                    "--conf",
                    "spark.executor.memory=256m",
                    "--class",
                    PI,
                    "local:" + installation.examples(),
                    "2");
            assertEquals(0, submit.status(), submit::errors);
            String log = submit.errors() + submit.output();
            Matcher id = ID.matcher(log);
            assertTrue(id.find(), log);
            Launched status = clients.sparkSubmit("--master", master, "--status", id.group());
            assertEquals(0, status.status(), status::errors);
            assertTrue((status.errors() + status.output()).contains(id.group()), status::errors);
        } finally {
            proxy.stop(0);
        }
    }

    private void pass(HttpExchange exchange, HttpClient behind) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(cluster.url().replace("hearth://", "https://") + exchange.getRequestURI()))
                    .header("Authorization", "Bearer " + TOKEN)
                    .header("Content-Type", "application/json;charset=UTF-8")
                    .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            HttpResponse<byte[]> answer = behind.send(request, HttpResponse.BodyHandlers.ofByteArray());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    private SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream chain = Files.newInputStream(certificate.chain())) {
            trusted.setCertificateEntry(
                    "cluster", CertificateFactory.getInstance("X.509").generateCertificate(chain));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private String url(String what) {
        return cluster.url().replace("hearth://", "https://") + "/v1/submissions/" + what;
    }

    private String body() {
        return """
                {
                  "action": "CreateSubmissionRequest", "clientSparkVersion": "", "appResource": "%s",
                  "mainClass": "%s", "appArgs": [ "2" ], "environmentVariables": { },
                  "sparkProperties": { "spark.app.name": "Pi", "spark.executor.memory": "256m" }
                }""".formatted(installation.examples(), PI);
    }

    private String curl(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "curl",
                "--silent",
                "--show-error",
                "--cacert",
                certificate.chain().toString()));
        command.addAll(List.of(words));
        Launched curl = Launched.start(scratch, command);
        assertEquals(0, curl.status(), curl::errors);
        return curl.output();
    }
}
