package dev.hearth.yarn.internal.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.http.HttpGate.Admitted;
import dev.hearth.spi.http.HttpGate.Decision;
import dev.hearth.spi.http.HttpGate.Redirected;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.time.Ticker;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Access to the pages of an application through YARN's proxy. Lookups run where the test says. */
class ProxyGateTest {
    private static final String FIRST = "http://127.0.0.11:8088/proxy/application_1_0001";
    private static final String SECOND = "http://127.0.0.12:8088/proxy/application_1_0001";

    private final AtomicLong now = new AtomicLong();
    private final List<Runnable> lookups = new ArrayList<>();
    private final List<URI> asked = new ArrayList<>();
    private List<String> bases = List.of(FIRST);
    private String active = "127.0.0.11";
    private final ProxyGate gate =
            new ProxyGate(at -> new ProxyLookup(bases, this::isActive).look(at), lookups::add, new Ticker() {
                @Override
                public long nanos() {
                    return now.get();
                }

                @Override
                public Instant wall() {
                    return Instant.ofEpochSecond(0, now.get());
                }
            });

    private boolean isActive(URI address) {
        asked.add(address);
        return address.getHost().equals(active);
    }

    private void lookUp() {
        List<Runnable> due = List.copyOf(lookups);
        lookups.clear();
        due.forEach(Runnable::run);
    }

    private void open() {
        gate.open();
        lookUp();
    }

    private static HttpRequest request(String remote, boolean secure, String path, Map<String, List<String>> query) {
        return new HttpRequest("GET", path, "/", query, Map.of(), Bytes.EMPTY, remote, secure);
    }

    private Decision from(String remote) {
        return gate.judge(request(remote, false, "/", Map.of()));
    }

    private Decision withCookies(String... cookies) {
        return gate.judge(new HttpRequest(
                "GET", "/", "/", Map.of(), Map.of("cookie", List.of(cookies)), Bytes.EMPTY, "127.0.0.11:4711", false));
    }

    @Test
    void refusesUntilTheProxyIsKnown() {
        assertInstanceOf(HttpGate.Refused.class, from("127.0.0.11:4711"));
        assertEquals(1, lookups.size(), "the request has it looked up");
        from("127.0.0.11:4711");
        assertEquals(1, lookups.size(), "once");
        lookUp();
        assertInstanceOf(Admitted.class, from("127.0.0.11:4711"));
    }

    @Test
    void admitsTheProxyWithAndWithoutAUser() {
        open();
        String base = "/proxy/application_1_0001";
        assertEquals(new Admitted("", base), from("127.0.0.11:4711"));
        assertEquals(new Admitted("", base), withCookies("theme=dark"));
        assertEquals(new Admitted("ann", base), withCookies("theme=dark; proxy-user=ann"));
        assertEquals(new Admitted("bob", base), withCookies("proxy-user=\"bob\""));
    }

    @Test
    void redirectsOthersToTheProxyWithPathAndParameters() {
        open();
        assertEquals(
                new Redirected("http://127.0.0.11:8088/proxy/redirect/application_1_0001/"), from("127.0.0.1:4711"));
        Map<String, List<String>> query = new LinkedHashMap<>();
        query.put("a b", List.of("1", "&2"));
        query.put("c", List.of(""));
        assertEquals(
                new Redirected(
                        "http://127.0.0.11:8088/proxy/redirect/application_1_0001/api/v1/x%20y?a+b=1&a+b=%262&c="),
                gate.judge(request("127.0.0.1:4711", false, "/api/v1/x y", query)));
    }

    @Test
    void leavesOthersToTheTokenOverTls() {
        open();
        assertInstanceOf(HttpGate.Undecided.class, gate.judge(request("127.0.0.1:4711", true, "/", Map.of())));
        assertInstanceOf(Admitted.class, gate.judge(request("127.0.0.11:4711", true, "/", Map.of())));
    }

    @Test
    void redirectsToTheActiveOneOfSeveral() {
        bases = List.of(FIRST, SECOND);
        active = "127.0.0.12";
        open();
        assertEquals(
                List.of(URI.create("http://127.0.0.11:8088/isActive"), URI.create("http://127.0.0.12:8088/isActive")),
                asked);
        assertEquals(
                new Redirected("http://127.0.0.12:8088/proxy/redirect/application_1_0001/"), from("127.0.0.1:4711"));
        assertInstanceOf(Admitted.class, from("127.0.0.11:4711"), "each of them may ask");
        active = "127.0.0.11";
        from("127.0.0.1:4711");
        assertEquals(0, lookups.size(), "just looked up");
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        from("127.0.0.1:4711");
        lookUp();
        assertEquals(
                new Redirected("http://127.0.0.11:8088/proxy/redirect/application_1_0001/"), from("127.0.0.1:4711"));
        active = "nobody";
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        from("127.0.0.1:4711");
        lookUp();
        assertEquals(
                new Redirected("http://127.0.0.11:8088/proxy/redirect/application_1_0001/"), from("127.0.0.1:4711"));
    }

    @Test
    void resolvesTheNamesOfProxiesAgain() {
        open();
        assertInstanceOf(Redirected.class, from("127.0.0.13:4711"));
        bases = List.of("http://127.0.0.13:8088/proxy/application_1_0001");
        now.addAndGet(Duration.ofMinutes(5).toNanos() - 1);
        from("127.0.0.13:4711");
        assertEquals(0, lookups.size());
        now.incrementAndGet();
        assertInstanceOf(Redirected.class, from("127.0.0.13:4711"), "no request waits");
        lookUp();
        assertInstanceOf(Admitted.class, from("127.0.0.13:4711"));
        assertInstanceOf(Redirected.class, from("127.0.0.11:4711"));
    }

    @Test
    void staysClosedAfterALookupThatFailed() {
        bases = List.of();
        open();
        assertInstanceOf(HttpGate.Refused.class, from("127.0.0.11:4711"));
        bases = List.of(FIRST);
        lookUp();
        assertInstanceOf(Admitted.class, from("127.0.0.11:4711"));
    }
}
