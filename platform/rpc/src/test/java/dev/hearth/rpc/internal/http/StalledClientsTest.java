package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.RpcSecurity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Clients that ask for long answers and do not read them: their number times the answer does not wait in memory. */
class StalledClientsTest {
    private static final int ANSWER_BYTES = EmbeddedHttpLane.RESPONSE_BYTES_MAX * 3 / 4;
    private static final int STRANGERS = 20;

    @Test
    void leaveRoomForThoseWhoRead() throws Exception {
        List<Socket> strangers = new ArrayList<>();
        AtomicInteger calls = new AtomicInteger();
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty())) {
            server.lane.serve("/big", request -> {
                calls.incrementAndGet();
                return CompletableFuture.completedStage(
                        HttpAnswer.bytes(200, "application/octet-stream", Bytes.owning(new byte[ANSWER_BYTES])));
            });
            assertEquals(200, read(server), "the size of an answer is known from now on");
            for (int i = 0; i < STRANGERS; i++) {
                Socket stranger = new Socket();
                strangers.add(stranger);
                stranger.setReceiveBufferSize(4 * 1024);
                stranger.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
                LoopbackServer.say(stranger, EmbeddedHttpLane.request("GET", "/big"));
            }
            int status = 503;
            while (status == 503) { // each try waits for room
                status = read(server);
                long bytes = server.lane.counts().responseBytes();
                assertTrue(bytes <= EmbeddedHttpLane.RESPONSE_BYTES_MAX, () -> bytes + " bytes wait");
            }
            assertEquals(200, status);
            assertTrue(server.lane.counts().stalledClients() > 0);
            assertTrue(calls.get() <= STRANGERS + 2, "each request is handled once");
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    /** The status of a request whose response is read to its end. */
    private static int read(LoopbackServer server) throws Exception {
        try (Socket honest = server.connect()) {
            LoopbackServer.say(honest, EmbeddedHttpLane.request("GET", "/big", "Connection: close"));
            byte[] answer = honest.getInputStream().readAllBytes();
            int status = Integer.parseInt(new String(answer, 9, 3, StandardCharsets.US_ASCII));
            assertTrue(status == 503 || answer.length > ANSWER_BYTES, () -> answer.length + " bytes of an answer");
            return status;
        }
    }
}
