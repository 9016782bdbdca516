package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.Secret;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ports with a gate of their own, in processes whose connections are encrypted. */
@Timeout(30)
class GatedPortTest {
    private static final RpcSettings SECURED = SecuredEnvs.settings(true, SecuredEnvs.with(Secret.random()));
    private static final HttpGate GATE = request ->
            request.path().equals("/x") ? new HttpGate.Admitted("") : new HttpGate.Redirected("http://proxy/");

    private final TestEnvs envs = new TestEnvs();

    @AfterEach
    void closeAll() {
        envs.close();
    }

    private static String get(RpcEnv env, String path) throws IOException {
        RpcAddress address = env.address().orElseThrow();
        try (Socket socket = new Socket(address.host(), address.port())) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void serve(RpcEnv env) {
        env.serve("/x", request -> CompletableFuture.completedStage(HttpAnswer.text(200, "served")));
    }

    @Test
    void takeRequestsWithoutEncryptionThatTheGateAdmits() throws IOException {
        RpcEnv env = envs.open(SECURED.behind(GATE));
        serve(env);
        String admitted = get(env, "/x");
        assertTrue(admitted.startsWith("HTTP/1.1 200 ") && admitted.endsWith("served"), admitted);
        String redirected = get(env, "/y");
        assertTrue(redirected.startsWith("HTTP/1.1 302 "), redirected);
        assertTrue(redirected.toLowerCase(Locale.ROOT).contains("location: http://proxy/\r\n"), redirected);
    }

    @Test
    void otherPortsTakeNone() throws IOException {
        RpcEnv env = envs.open(SECURED);
        serve(env);
        assertEquals("HTTP/1.1 400", get(env, "/x").substring(0, 12));
    }
}
