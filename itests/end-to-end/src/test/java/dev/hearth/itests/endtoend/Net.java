package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Network namespaces, each with an address of its own, on one switch. Made for a test as root; removed by {@link #close}. */
final class Net implements AutoCloseable {
    private static final String ADDRESSES = "10.212.5.";
    private static final String NOBODY = "02:00:00:00:00:99"; // a network address that no card has
    private static final String CARD = "eth0";
    private static final long COMMAND_SECONDS_MAX = 10;

    private final String prefix = "hearth-" + ProcessHandle.current().pid() + "-";
    private final String hub = prefix + "hub";
    private final List<String> made = new ArrayList<>();

    /** Makes so many; fails with the reason where that is impossible. */
    static Net of(int members) throws IOException {
        Net net = new Net();
        try {
            net.build(members);
            return net;
        } catch (IOException | RuntimeException | Error failure) {
            net.close();
            throw failure;
        }
    }

    private void build(int members) throws IOException {
        add(hub);
        ip("-n", hub, "link", "add", "switch", "type", "bridge");
        ip("-n", hub, "link", "set", "switch", "up");
        for (int member = 1; member <= members; member++) {
            add(name(member));
            String port = "port" + member;
            ip("-n", name(member), "link", "add", CARD, "type", "veth", "peer", "name", port, "netns", hub);
            ip("-n", hub, "link", "set", port, "master", "switch");
            ip("-n", hub, "link", "set", port, "up");
            ip("-n", name(member), "address", "add", host(member) + "/24", "dev", CARD);
            ip("-n", name(member), "link", "set", CARD, "up");
            ip("-n", name(member), "link", "set", "lo", "up");
        }
    }

    private void add(String name) throws IOException {
        ip("netns", "add", name);
        made.add(name);
    }

    private String name(int member) {
        return prefix + member;
    }

    static String host(int member) {
        return ADDRESSES + member;
    }

    /** The command that runs another one as that member. */
    List<String> as(int member, List<String> command) {
        List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", name(member)));
        whole.addAll(command);
        return whole;
    }

    /** Lets nothing arrive between two, and tells nobody. */
    void part(int one, int other) throws IOException {
        ip("-n", name(one), "neigh", "replace", host(other), "lladdr", NOBODY, "dev", CARD, "nud", "permanent");
        ip("-n", name(other), "neigh", "replace", host(one), "lladdr", NOBODY, "dev", CARD, "nud", "permanent");
    }

    void heal(int one, int other) throws IOException {
        ip("-n", name(one), "neigh", "del", host(other), "dev", CARD);
        ip("-n", name(other), "neigh", "del", host(one), "dev", CARD);
    }

    @Override
    public void close() throws IOException {
        for (String name : made) {
            ip("netns", "del", name);
        }
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            throw new AssertionError("-Pnet: ip cannot be run (expected: Linux with iproute2)", missing);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.onExit()
                .completeOnTimeout(process, COMMAND_SECONDS_MAX, TimeUnit.SECONDS)
                .join();
        assertFalse(process.isAlive(), () -> "-Pnet: " + command + " does not end");
        assertEquals(0, process.exitValue(), () -> "-Pnet: " + command + ": " + said + " (expected: root, on Linux)");
    }
}
