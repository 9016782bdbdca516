package dev.hearth.rpc.internal.bulk;

/** What a {@link FaultyWay} does to one connection: something to the bytes from the server, once so many have passed. */
record Faults(Kind kind, long afterBytes, boolean fromServer) {
    static final Faults NONE = new Faults(Kind.NONE, Long.MAX_VALUE, true);

    static Faults cut(long afterBytes) {
        return new Faults(Kind.CUT, afterBytes, true);
    }

    static Faults cutUpload(long afterBytes) {
        return new Faults(Kind.CUT, afterBytes, false);
    }

    static Faults flip(long afterBytes) {
        return new Faults(Kind.FLIP, afterBytes, true);
    }

    static Faults flipUpload(long afterBytes) {
        return new Faults(Kind.FLIP, afterBytes, false);
    }

    static Faults stall(long afterBytes) {
        return new Faults(Kind.STALL, afterBytes, true);
    }

    enum Kind {
        NONE,
        CUT,
        FLIP,
        STALL
    }
}
