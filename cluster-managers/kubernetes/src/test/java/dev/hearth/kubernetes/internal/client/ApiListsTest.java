package dev.hearth.kubernetes.internal.client;

import static dev.hearth.kubernetes.internal.client.StubAccess.POD;
import static dev.hearth.kubernetes.internal.client.StubAccess.answer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ClaimFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of lists (H4), their cost (H9), and fields that are unknown or null (H10). */
class ApiListsTest {
    private static final int PODS = 20_000;
    private static final long GARBAGE_BYTES_MAX = 100L * 1024 * 1024;

    @TempDir
    private Path home;

    private StubApiServer stub;
    private ApiServer server;

    @BeforeEach
    void open() throws IOException {
        stub = StubApiServer.plain();
        server = new StubAccess(home).open("k8s://http://127.0.0.1:" + stub.port(), "namespace", "team");
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        stub.close();
    }

    private Answer list(String next) throws Exception {
        return answer(to -> server.list(Resource.POD, "a=b", next, to));
    }

    @Test
    void listsPages() throws Exception {
        stub.answer(exchange -> exchange.reply(
                200,
                "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"next+/=\"},\"items\":[" + POD + "]}",
                "Date: Thu, 01 Jan 2026 00:00:10 GMT"));
        Answer.Page page = (Answer.Page) list("");

        assertEquals("9", page.version());
        assertEquals("next+/=", page.next());
        assertEquals("a-exec-1", page.objects().get(0).name());
        assertTrue(page.objects().get(0).pod().isPresent());
        assertEquals(1_767_225_610, page.serverSeconds());
        list(page.next());
        assertEquals(
                List.of(
                        "GET /api/v1/namespaces/team/pods?limit=500&labelSelector=a%3Db -",
                        "GET /api/v1/namespaces/team/pods?limit=500&labelSelector=a%3Db&continue=next%2B%2F%3D -"),
                stub.log());
    }

    @Test
    void listsTheAnnotationsOfAnchors() throws Exception {
        Map<String, String> annotations = new TreeMap<>();
        for (String name : List.of(AnchorMarks.EPOCH, AnchorMarks.RENEWED, AnchorMarks.LOOKED)) {
            annotations.put(name, "7");
        }
        String json = new ObjectMapper().writeValueAsString(annotations);
        stub.answer(exchange -> exchange.reply(
                200,
                "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[{\"metadata\":{\"name\":\"a\",\"annotations\":"
                        + json + "}}]}"));
        Answer.Page page = (Answer.Page) list("");
        assertEquals(annotations, page.objects().get(0).annotations());
    }

    @Test
    void tellsThatTheNextPageHasExpired() throws Exception {
        stub.answer(exchange -> exchange.reply(
                410,
                "{\"kind\":\"Status\",\"metadata\":{\"continue\":\"inconsistent\"},\"status\":\"Failure\",\"message\":"
                        + "\"The provided continue parameter is too old to display a consistent list result.\","
                        + "\"reason\":\"Expired\",\"code\":410}"));
        Answer.Refused refused = (Answer.Refused) list("old");
        assertEquals(RefusalKind.GONE, refused.kind());
    }

    @Test
    void acceptsNullListsAndUnknownFields() throws Exception {
        for (String items : List.of("null", "[]")) {
            stub.answer(exchange -> exchange.reply(
                    200,
                    "{\"kind\":\"PodList\",\"new\":[[]],\"metadata\":{\"resourceVersion\":\"9\",\"selfLink\":null,"
                            + "\"remainingItemCount\":null},\"items\":" + items + "}"));
            Answer.Page page = (Answer.Page) list("");
            assertEquals(List.of(), page.objects());
            assertEquals("", page.next());
        }
    }

    @Test
    void readsBarePods() throws Exception {
        stub.answer(exchange -> exchange.reply(
                200,
                "{\"metadata\":null,\"items\":[{\"metadata\":{\"name\":\"a\",\"labels\":null},\"spec\":{\"containers\":null},"
                        + "\"status\":{\"conditions\":null,\"containerStatuses\":[{\"name\":\"c\",\"state\":null}]}},"
                        + "{\"metadata\":null,\"spec\":null,\"status\":null}]}"));
        List<ObjectFacts> objects = ((Answer.Page) list("")).objects();
        assertEquals("a", objects.get(0).name());
        assertEquals("Pending", objects.get(0).requirePod().phase());
        assertEquals("", objects.get(1).name());
    }

    @Test
    void recognizesPodsOfASilentNode() throws Exception {
        List<String> readiness = List.of(
                condition("ContainersReady", "True", "") + "," + condition("Ready", "False", ""),
                condition("ContainersReady", "True", "") + "," + condition("Ready", "True", ""),
                condition("ContainersReady", "True", "") + "," + condition("Ready", "False", "ReadinessGatesNotReady"),
                condition("ContainersReady", "False", "ContainersNotReady") + ","
                        + condition("Ready", "False", "ContainersNotReady"));
        String items = readiness.stream()
                .map(conditions ->
                        "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[]},\"status\":{\"conditions\":["
                                + conditions + "]}}")
                .collect(Collectors.joining(","));
        stub.answer(exchange -> exchange.reply(200, "{\"metadata\":{},\"items\":[" + items + "]}"));
        assertEquals(
                List.of(true, false, false, false),
                ((Answer.Page) list(""))
                        .objects().stream()
                                .map(pod -> pod.requirePod().nodeSilent())
                                .toList());
    }

    private static String condition(String type, String status, String reason) {
        return "{\"type\":\"" + type + "\",\"status\":\"" + status + "\",\"reason\":\"" + reason + "\"}";
    }

    @Test
    void readsClaimsAndTheVersionOfTheServer() throws Exception {
        stub.answer(exchange -> exchange.reply(
                200,
                "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[{\"metadata\":{\"name\":\"c\",\"uid\":\"u\","
                        + "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"},\"spec\":{\"accessModes\":[\"ReadWriteOnce\"],"
                        + "\"storageClassName\":\"fast\",\"resources\":{\"requests\":{\"storage\":\"2Gi\"}},"
                        + "\"volumeName\":\"v\"},\"status\":{\"phase\":\"Bound\"}}]}"));
        Answer.Page page = (Answer.Page) list("");
        assertEquals(
                Optional.of(new ClaimFacts("fast", List.of("ReadWriteOnce"), "2Gi", true)),
                page.objects().get(0).claim());
        stub.answer(exchange -> exchange.reply(200, "{\"major\":\"1\",\"minor\":\"20+\",\"gitVersion\":\"v1.20.15\"}"));
        assertEquals(new Answer.Text("1.20+"), answer(server::version));
    }

    @Test
    void readsTwentyThousandPodsWithinABoundOnGarbage() throws Exception {
        StringBuilder items = new StringBuilder();
        String pod = StubAccess.text("pod-of-executor.json").replaceAll("\\n\\s*", "");
        for (int i = 0; i < ApiServer.PAGE_MAX; i++) {
            items.append(i == 0 ? "" : ",").append(pod.replace("NUMBER", String.valueOf(i)));
        }
        byte[] page = ("{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + items + "]}")
                .getBytes(UTF_8);
        assertEquals(ApiServer.PAGE_MAX, ListReader.read(page, 0).objects().size()); // classes are loaded
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        List<ObjectFacts> pods = new ArrayList<>(PODS);
        long before = threads.getThreadAllocatedBytes(thread);
        long begin = System.nanoTime();
        while (pods.size() < PODS) {
            pods.addAll(ListReader.read(page, 0).objects());
        }
        long millis = (System.nanoTime() - begin) / 1_000_000;
        long garbage = threads.getThreadAllocatedBytes(thread) - before;
        System.out.println(String.format(
                Locale.ROOT,
                "FIGURE H9 a list of %d pods of %d bytes: %.1f MB allocated, %d ms",
                pods.size(),
                pod.length(),
                garbage / 1e6,
                millis));
        assertTrue(garbage < GARBAGE_BYTES_MAX, () -> garbage + " bytes");
        assertEquals("Running", pods.get(PODS - 1).requirePod().phase());
    }
}
