package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.DefaultChannelId;
import org.junit.jupiter.api.Test;

/** Netty's channel ids need no hardware address. */
class ChannelIdentityTest {
    @Test
    void isSetBeforeTheFirstChannelAndIsWhatNettyUses() {
        try (TestEnvs envs = new TestEnvs()) {
            envs.listening();
            String machine = System.getProperty(ChannelIdentity.MACHINE);
            assertNotNull(machine);
            assertEquals(Long.toString(ProcessHandle.current().pid()), System.getProperty(ChannelIdentity.PROCESS));
            String id = DefaultChannelId.newInstance().asLongText();
            assertTrue(id.startsWith(machine.replace(":", "") + "-"), id + ", not of " + machine);
            ChannelIdentity.set();
            assertEquals(machine, System.getProperty(ChannelIdentity.MACHINE), "what is set stays");
        }
    }
}
