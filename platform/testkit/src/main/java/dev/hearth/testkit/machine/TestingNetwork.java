package dev.hearth.testkit.machine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Network of members, which are Linux network namespaces on one virtual switch. Each member has its own address, so
 * that processes on one machine seem to run on several. Needs root on Linux, and otherwise fails with the reason.
 * {@link #close} removes the namespaces; if the test was killed, the next instance does.
 */
public final class TestingNetwork implements AutoCloseable {
    private static final String NAME = "hearth-";
    private static final Pattern OURS = Pattern.compile(NAME + "(\\d{1,18})-\\w+");
    private static final String ADDRESSES = "10.212.5.";
    private static final String UNUSED_MAC = "02:00:00:00:00:99"; // a MAC address that no interface has
    private static final String CARD = "eth0";
    private static final int CLOSED_PORT = 9;
    private static final String KNOCK_SECONDS = "0.5";

    private final String prefix = NAME + ProcessHandle.current().pid() + "-";
    private final String hub = prefix + "hub";
    private final List<String> created = new ArrayList<>();

    private TestingNetwork() {}

    /** Creates a network of {@code members} members, which are numbered from 1. */
    public static TestingNetwork of(int members) throws IOException {
        if (!SystemCommands.run("id", "-u").strip().equals("0")) {
            throw new IllegalStateException("network: not root (expected: root, who may make network namespaces)");
        }
        removeLeftovers();
        TestingNetwork network = new TestingNetwork();
        try {
            network.build(members);
            return network;
        } catch (IOException | RuntimeException | Error failure) {
            try {
                network.close();
            } catch (IOException | RuntimeException | Error another) {
                failure.addSuppressed(another);
            }
            throw failure;
        }
    }

    /** Removes namespaces of killed tests: their names contain the id of a process that no longer exists. */
    private static void removeLeftovers() throws IOException {
        for (String name : names()) {
            Matcher ours = OURS.matcher(name);
            if (ours.matches()
                    && ProcessHandle.of(Long.parseLong(ours.group(1))).isEmpty()) {
                ip("netns", "del", name);
            }
        }
    }

    private static List<String> names() throws IOException {
        return SystemCommands.run("ip", "netns", "list")
                .lines()
                .map(line -> line.split(" ", 2)[0])
                .toList();
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
        created.add(name); // added before the command, because the namespace may exist although the command failed
        ip("netns", "add", name);
    }

    private String name(int member) {
        return prefix + member;
    }

    /** IP address of member {@code member} of the network. */
    public static String host(int member) {
        return ADDRESSES + member;
    }

    /** Command line that runs {@code command} in the network namespace of member {@code member}. */
    public List<String> as(int member, List<String> command) {
        List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", name(member)));
        whole.addAll(command);
        return whole;
    }

    /**
     * Whether a process of member {@code one} that connects to member {@code other} gets an answer; a refusal is an
     * answer too.
     */
    public boolean reaches(int one, int other) throws IOException {
        String knock = "exec 3<>/dev/tcp/" + host(other) + "/" + CLOSED_PORT;
        String refusal = SystemCommands.tried(
                as(one, List.of("timeout", KNOCK_SECONDS, "bash", "-c", knock)).toArray(String[]::new));
        return refusal.isEmpty() || refusal.contains("refused");
    }

    /**
     * Silently drops all packets from member {@code other} to member {@code one}: {@code other} then sends them to a
     * MAC address that no interface has.
     */
    public void deafen(int one, int other) throws IOException {
        ip("-n", name(other), "neigh", "replace", host(one), "lladdr", UNUSED_MAC, "dev", CARD, "nud", "permanent");
    }

    /** Ends {@link #deafen}. */
    public void hear(int one, int other) throws IOException {
        ip("-n", name(other), "neigh", "del", host(one), "dev", CARD);
    }

    /**
     * Silently partitions the members {@code one} and {@code other}: neither receives packets of the other, and no
     * connection is closed.
     */
    public void part(int one, int other) throws IOException {
        deafen(one, other);
        deafen(other, one);
    }

    /** Ends {@link #part}. */
    public void heal(int one, int other) throws IOException {
        hear(one, other);
        hear(other, one);
    }

    /** Takes the network interface of member {@code member} down, as if its cable were unplugged. */
    public void unplug(int member) throws IOException {
        ip("-n", name(member), "link", "set", CARD, "down");
    }

    /** Ends {@link #unplug}. */
    public void plug(int member) throws IOException {
        ip("-n", name(member), "link", "set", CARD, "up");
    }

    @Override
    public void close() throws IOException {
        List<String> failures = new ArrayList<>();
        List<String> there = names();
        for (String name : created) {
            if (there.contains(name)) {
                String refusal =
                        // removing the end of a virtual cable removes its other end too
                        SystemCommands.tried("ip", "netns", "del", name);
                if (!refusal.isEmpty()) {
                    failures.add(name + ": " + refusal);
                }
            }
        }
        created.clear();
        if (!failures.isEmpty()) {
            throw new IllegalStateException("namespaces that could not be removed: " + failures + " (expected: none)");
        }
    }

    private static void ip(String... arguments) throws IOException {
        String[] command = new String[arguments.length + 1];
        command[0] = "ip";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        SystemCommands.run(command);
    }
}
