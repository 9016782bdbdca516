package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConnectionStateTest {
    @Test
    void leadsFromOpenToLostAndNeverBack() {
        assertEquals(EnumSet.of(ConnectionState.CLOSING, ConnectionState.LOST), successors(ConnectionState.OPEN));
        assertEquals(EnumSet.of(ConnectionState.LOST), successors(ConnectionState.CLOSING));
        assertEquals(Set.of(), successors(ConnectionState.LOST));
    }

    private static Set<ConnectionState> successors(ConnectionState state) {
        return EnumSet.allOf(ConnectionState.class).stream()
                .filter(state::leadsTo)
                .collect(Collectors.toSet());
    }
}
