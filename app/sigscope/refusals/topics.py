"""What an error is about that no rule knows: the key, a limit, the length, the model.

Only where its words leave no doubt; `grounds` judges recorded answers, whose status and
codes are certain, and is asked here too.
"""

from __future__ import annotations

import re
from enum import StrEnum

from sigscope.refusals.grounds import Ground


class Topic(StrEnum):
    """What an error speaks of."""

    KEY = "key"
    LIMIT = "limit"
    SERVICE = "service"
    LENGTH = "length"
    MODEL = "model"
    FILTER = "filter"
    PAIRS = "pairs"
    BODY = "body"
    LINE = "line"
    BARE = "bare"


MEANINGS = {
    Topic.KEY: "The key, its rights, or the place it is used from was refused; nobody"
    " looked at the messages.",
    Topic.LIMIT: "A rate limit, a quota or a bill stopped the request; nothing is said"
    " about the messages.",
    Topic.SERVICE: "The service failed or was too busy; sent again, the request may"
    " pass.",
    Topic.LENGTH: "The conversation is longer than the model takes.",
    Topic.MODEL: "The model is not known there, or not open to this key.",
    Topic.FILTER: "A content filter stopped it.",
    Topic.PAIRS: "Tool calls and tool results do not fit each other.",
    Topic.BODY: "The body is no JSON, or a field of it is not known there.",
    Topic.LINE: "No answer came: the connection failed on the way.",
    Topic.BARE: "These words alone name no cause. GitHub Copilot says just them, of a"
    " signature that was lost (CPC-1) as of a body of the wrong shape (CPC-2: a list"
    " as content, a signature inside the call); its code is then invalid_request_body."
    " Others say them of other things.",
}
"""One sentence each."""

OF_GROUND = {
    Ground.ACCESS: Topic.KEY,
    Ground.LIMIT: Topic.LIMIT,
    Ground.SERVICE: Topic.SERVICE,
}

BARE = r"^(?:http|error|400|badrequest|message|:)*invalidrequestbody$"
"""All that is said, so that no other word need tell that it is an error's."""
_WORDS = {
    Topic.LENGTH: r"contextlengthexceeded|maximumcontextlength|contextwindowexceeded"
    r"|promptistoolong|inputtokencount.{0,40}exceeds"
    r"|exceeds?themaximumnumberoftokens|exceeds?(?:the|your)(?:models?)?contextwindow"
    r"|inputlengthandmaxtokensexceed|exceeds?thecontextlimit|requesttoolarge",
    Topic.MODEL: r"modelnotfound|modelnotsupported|nosuchmodel|isnotavalidmodel"
    r"|models?[:/][\w./:-]{1,80}(?:isnotfound|doesnotexist|notfound)"
    r"|themodel[\w./:-]{1,80}doesnotexist|noendpointsfoundfor"
    r"|requestedmodelisnotsupported|isnotfoundforapiversion",
    Topic.FILTER: r"contentfilter|contentmanagementpolicy|contentpolicyviolation"
    r"|responsibleaipolicy|finishreason[:=]safety|prohibitedcontent|blockreason"
    r"|blockedbysafety|inputwasflagged",
    Topic.PAIRS: r"notoolcallfoundfor|notooloutputfoundfor"
    r"|mustbefollowedbytoolmessages"
    r"|roletoolmustbearesponse|unexpectedtooluseidfound"
    r"|toolcallidsdidnothaveresponsemessages",
    Topic.BODY: r"invalidjsonpayloadreceived|couldnotparsethejson|unexpectedendofjson"
    r"|unexpectedtoken.{0,20}injson|jsondecodeerror|lookingforbeginningofvalue"
    r"|notvalidjson|failedtoparsejson|invalidjson",
    Topic.KEY: r"(?:invalid|incorrect|missing|wrong|no)(?:x-)?apikey|apikeynotvalid"
    r"|apikey(?:is)?(?:invalid|expired|missing)|authenticationerror|unauthenticated"
    r"|noauthcredentials|permissiondenied|invalidauthentication|badcredentials"
    r"|40[13](?:unauthorized|forbidden)|accessdeniedexception",
    Topic.LIMIT: r"ratelimit|toomanyrequests|resourceexhausted|quotaexceeded"
    r"|exceededyourcurrentquota|insufficientquota|creditbalanceistoolow"
    r"|insufficientcredits|throttlingexception|usagelimit",
    Topic.SERVICE: r"overloadederror|isoverloaded|internalservererror|badgateway"
    r"|serviceunavailable|gatewaytimeout|internalerrorencountered|upstreamtimeout",
    Topic.LINE: r"econnrefused|econnreset|etimedout|enotfound|eai_?again|fetchfailed"
    r"|connectionrefused|connectionreset|certificateverifyfailed|sockethangup"
    r"|failedtoconnect|couldnotresolvehost|connectionerror",
    Topic.BARE: BARE,
}
_TOPICS = {topic: re.compile(words) for topic, words in _WORDS.items()}


def find_topic(squeezed: str, ground: Ground) -> Topic | None:
    """The topic of an error's squeezed words; `ground`: what its codes and status
    tell. None where neither leaves no doubt."""
    for topic, words in _TOPICS.items():
        if words.search(squeezed):
            return topic
    return OF_GROUND.get(ground)
