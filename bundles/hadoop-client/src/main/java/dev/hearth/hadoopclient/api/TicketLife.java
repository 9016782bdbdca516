package dev.hearth.hadoopclient.api;

import java.time.Instant;

/** Time for which a ticket of Kerberos is valid. Immutable. */
public record TicketLife(Instant begin, Instant end) {}
