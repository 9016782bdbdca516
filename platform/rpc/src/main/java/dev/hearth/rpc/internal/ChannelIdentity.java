package dev.hearth.rpc.internal;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Identity of this process in the ids of Netty's channels. By default Netty looks for the hardware address of a network
 * interface, which takes a while, and warns if there is none.
 */
final class ChannelIdentity {
    static final String MACHINE = "io.netty.machineId";
    static final String PROCESS = "io.netty.processId";
    private static final int MACHINE_BYTES = 8;

    private ChannelIdentity() {}

    /**
     * Sets the system properties from which Netty takes this identity when it creates its first channel. Properties
     * that are set already stay unchanged.
     */
    static void set() {
        if (System.getProperty(MACHINE) == null) {
            byte[] machine = new byte[MACHINE_BYTES];
            new SecureRandom().nextBytes(machine);
            System.setProperty(MACHINE, HexFormat.ofDelimiter(":").formatHex(machine));
        }
        if (System.getProperty(PROCESS) == null) {
            System.setProperty(PROCESS, Long.toString(ProcessHandle.current().pid()));
        }
    }
}
