package dev.hearth.itests.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two network namespaces joined by a cable. Made for one test, removed by {@link #close}, together with the cable. */
final class Namespaces implements AutoCloseable {
    static final String LEFT_HOST = "10.211.55.1";
    static final String RIGHT_HOST = "10.211.55.2";

    private static final String LEFT = "hearth-l-";
    private static final String RIGHT = "hearth-r-";
    private static final String NOBODY = "02:00:00:00:00:99"; // a network address that no card has
    private static final long COMMAND_SECONDS_MAX = 10;

    private final String left;
    private final String right;
    private final String leftCard;
    private final String rightCard;

    private Namespaces(long unique) {
        this.left = LEFT + unique;
        this.right = RIGHT + unique;
        this.leftCard = "hl" + unique;
        this.rightCard = "hr" + unique;
    }

    /** Makes them; fails with the reason where that is impossible. */
    static Namespaces make() throws IOException {
        refuseStrangers();
        removeLeftovers();
        Namespaces made = new Namespaces(ProcessHandle.current().pid());
        try {
            made.build();
            return made;
        } catch (IOException | RuntimeException | Error failure) {
            made.close();
            throw failure;
        }
    }

    /** The command that runs another one in the left namespace. */
    List<String> inLeft(List<String> command) {
        return in(left, command);
    }

    List<String> inRight(List<String> command) {
        return in(right, command);
    }

    /** Takes the cable out. */
    void unplug() throws IOException {
        ip("-n", left, "link", "set", leftCard, "down");
    }

    void plug() throws IOException {
        ip("-n", left, "link", "set", leftCard, "up");
    }

    /** Lets nothing more arrive on the right that the left sends, and tells nobody: it goes to a card that is not there. */
    void deafenRight() throws IOException {
        ip("-n", left, "neigh", "replace", RIGHT_HOST, "lladdr", NOBODY, "dev", leftCard, "nud", "permanent");
    }

    void deafenLeft() throws IOException {
        ip("-n", right, "neigh", "replace", LEFT_HOST, "lladdr", NOBODY, "dev", rightCard, "nud", "permanent");
    }

    void hearRight() throws IOException {
        ip("-n", left, "neigh", "del", RIGHT_HOST, "dev", leftCard);
    }

    void hearLeft() throws IOException {
        ip("-n", right, "neigh", "del", LEFT_HOST, "dev", rightCard);
    }

    @Override
    public void close() throws IOException {
        List<String> failures = new ArrayList<>();
        for (String namespace : List.of(left, right)) {
            if (run(List.of("ip", "netns", "list")).contains(namespace)) {
                try {
                    ip("netns", "del", namespace); // its end of the cable goes with it, and so the other
                } catch (IllegalStateException failure) {
                    failures.add(String.valueOf(failure.getMessage()));
                }
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("namespaces left behind: " + failures + " (expected: none)");
        }
    }

    private static void refuseStrangers() throws IOException {
        if (!run(List.of("id", "-u")).strip().equals("0")) {
            throw new IllegalStateException("-Pnet: not root (expected: root, who may make network namespaces)");
        }
    }

    /** What a test left behind that was killed: namespaces named after a process that is no more. */
    private static void removeLeftovers() throws IOException {
        for (String line : run(List.of("ip", "netns", "list")).lines().toList()) {
            String name = line.split(" ", 2)[0];
            if (name.matches("(" + LEFT + "|" + RIGHT + ")\\d+")) {
                long pid = Long.parseLong(name.substring(LEFT.length()));
                if (ProcessHandle.of(pid).isEmpty()) {
                    ip("netns", "del", name);
                }
            }
        }
    }

    private void build() throws IOException {
        ip("netns", "add", left);
        ip("netns", "add", right);
        ip("-n", left, "link", "add", leftCard, "type", "veth", "peer", "name", rightCard, "netns", right);
        ip("-n", left, "address", "add", LEFT_HOST + "/24", "dev", leftCard);
        ip("-n", right, "address", "add", RIGHT_HOST + "/24", "dev", rightCard);
        ip("-n", left, "link", "set", leftCard, "up");
        ip("-n", right, "link", "set", rightCard, "up");
    }

    private static List<String> in(String namespace, List<String> command) {
        List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        whole.addAll(command);
        return whole;
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        run(command);
    }

    private static String run(List<String> command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            throw new IllegalStateException(
                    "-Pnet: " + command.get(0) + " cannot be run, " + missing.getMessage()
                            + " (expected: Linux with iproute2)",
                    missing);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!ended(process) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("-Pnet: " + String.join(" ", command) + ": " + output.strip()
                    + " (expected: done within " + COMMAND_SECONDS_MAX + " s)");
        }
        return output;
    }

    private static boolean ended(Process process) {
        try {
            return process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException wanted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
