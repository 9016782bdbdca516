package dev.hearth.rpc.internal.http;

import dev.hearth.rpc.internal.connect.ConnectionLimiter;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.time.Ticker;

/** Collaborators shared by all connections of the HTTP server of one port. */
record HttpServices(
        RequestRouter reception,
        BuiltInPages pages,
        ResponseRenderer renderer,
        HandlerPool pool,
        BodyBudget bodies,
        ResponseMemory responses,
        HandlerAnswerSizes sizes,
        ConnectionLimiter connections,
        HttpCounters counters,
        RpcTimes times,
        Ticker ticker) {}
