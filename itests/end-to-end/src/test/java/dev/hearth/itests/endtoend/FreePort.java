package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for settings that take no 0. They are below the range from which systems choose the port of a socket that is
 * bound to port 0, so that no process beside a test takes one before the test uses it.
 */
final class FreePort {
    private static final int FIRST = 10_000;
    private static final int END = 32_000; // Linux chooses from 32,768, other systems from 49,152

    private FreePort() {}

    /** A port that is free at this moment. */
    static int draw() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (BindException taken) {
                assert port > 0 : taken; // draws the next one
            }
        }
    }
}
