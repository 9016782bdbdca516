/**
 * Client of Spark's REST protocol for submissions, version 1. It submits to masters of Spark and to any other server of the
 * protocol, asks about submissions and kills them.
 * <p>{@code RestMasters} asks the masters of a URL in turn, {@code RestSubmitter} sends the requests of one command, {@code
 * RestWatch} follows a driver by asking once a second, and {@code HttpTransport} sends one request. All but the last run on
 * the event loop of the submission.
 * <p>A request to start a driver is sent once. If it fails before it was sent, the next master is asked. If the answer is
 * lost, the driver may run: the submission fails, and no other master is asked. A first question about no driver shows
 * whether a server speaks the protocol, before anything is started.
 */
@NullMarked
package dev.hearth.standalone.internal.rest;

import org.jspecify.annotations.NullMarked;
